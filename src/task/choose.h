#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "task/task.h"

namespace tare::task {

/// The split that is evaluated: its name, and the key that named it.
struct EvalSplit {
  std::string field;  ///< "test_split" or "validation_split"; "" if the task has neither
  std::string name;
};
EvalSplit eval_split(const TaskConfig& config);

/// Few-shot examples a prompt: --num-fewshot overrides all but a written 0.
std::size_t effective_fewshot(const TaskConfig& config, const BuildOptions& options);

/// Positions of the documents to evaluate, ascending, out of `total`.
base::Result<std::vector<std::size_t>> choose_documents(const std::string& task, std::size_t total,
                                                        const BuildOptions& options);

/// The rows of a split, or an error that names the key that asked for it and what there is.
base::Result<const core::Split*> find_split(const std::string& task, const core::Dataset& dataset,
                                            const std::string& field, const std::string& name);

}  // namespace tare::task
