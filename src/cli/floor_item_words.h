#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/floor_options.h"
#include "core/task.h"

/// Which items are asked, in the words of `tare run`.
namespace tare::cli {

/// The usual items: 600 of MMLU, 190 of TriviaQA and 190 of GSM8K (source 003: 980), spread evenly
/// over each benchmark.
inline constexpr const char* kUsualTasks = "default";
inline constexpr const char* kNoTasks = "none";

/// --tasks with all that belongs to it. The usual items where no others are named.
std::vector<std::string> item_words(const FloorOptions& options);

/// The same of at most `most` items of each task, spread evenly over those that were built.
std::vector<std::string> fewer_item_words(const FloorOptions& options,
                                          std::span<const core::BuiltTask> tasks, std::size_t most);

}  // namespace tare::cli
