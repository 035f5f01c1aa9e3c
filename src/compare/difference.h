#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// Two or more finished runs of the same questions: whether these are the same, what changed, and
/// whether that is more than chance.
namespace tare::compare {

/// What two runs may have unlike, so that a difference of scores would not be the models'.
enum class Mismatch {
  tasks,     ///< a task that one run alone has
  items,     ///< documents that one run alone was asked
  prompts,   ///< another prompt for the same document
  targets,   ///< another right answer for the same document
  versions,  ///< another version of the task
  settings,  ///< another way to answer: generation settings, repeats
  metrics,   ///< a metric that one run alone has, or that has another direction
};

inline constexpr std::array<std::string_view, 7> kMismatchNames{
    "tasks", "items", "prompts", "targets", "versions", "settings", "metrics"};

std::string_view mismatch_name(Mismatch mismatch);
/// None for another word.
std::optional<Mismatch> mismatch_named(std::string_view name);

/// One thing that two runs have unlike.
struct Difference {
  Mismatch mismatch = Mismatch::tasks;
  std::string task;
  /// A sentence without its subject, with both values: "task version 1.0 in A, 2.0 in B".
  std::string text;
  std::vector<std::string> causes;  ///< other settings that may be why, likewise
};

/// "arc_easy: task version 1.0 in A, 2.0 in B".
std::string line_of(const Difference& difference);

/// Which of them are there, each once, in the order of the enumeration.
std::vector<Mismatch> kinds_of(const std::vector<Difference>& differences);

}  // namespace tare::compare
