#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/task.h"

namespace tare::test {

/// The folder lm_eval/tasks of lm-eval 0.4.13, named by the environment variable TARE_LM_EVAL.
std::optional<std::filesystem::path> lm_eval_tasks();

/// The JSON value on each line of a file; a broken line fails the test.
std::vector<base::Value> json_lines(const std::filesystem::path& file);

/// The one file in `folder` whose name begins with `prefix`.
std::filesystem::path file_with_prefix(const std::filesystem::path& folder,
                                       const std::string& prefix);

/// The three hashes that lm-eval logs for a document.
struct DocumentHashes {
  std::string document, prompt, target;
  friend bool operator==(const DocumentHashes&, const DocumentHashes&) = default;
};

std::vector<DocumentHashes> hashes_of(const core::BuiltTask& task);

}  // namespace tare::test
