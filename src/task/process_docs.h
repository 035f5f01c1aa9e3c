#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/functions.h"
#include "task/task.h"

/// Data sets as a task's own functions make them.
namespace tare::task {

/// The splits of a task's data set as process_docs leaves them. The function runs once for each
/// split: what is prompted, what serves as an example and what is scored are the same documents,
/// whatever the function draws at random. (lm-eval runs it at every access.)
class ProcessedSplits {
 public:
  ProcessedSplits(const TaskConfig& config, const core::Dataset& dataset,
                  core::Functions* functions)
      : config_(config), dataset_(dataset), functions_(functions) {}

  using Documents = std::vector<core::Document>;
  /// The documents of the split that the key `field` names, through `process` if it is a function.
  base::Result<const Documents*> find(const std::string& field, const std::string& split,
                                      const base::Value& process);
  [[nodiscard]] core::Functions* functions() const { return functions_; }

 private:
  const TaskConfig& config_;
  const core::Dataset& dataset_;
  core::Functions* functions_;
  std::map<std::pair<std::string, std::string>, Documents> done_;  ///< by split and function
};

/// What is applied to the split that few-shot examples come from.
const base::Value& fewshot_process_docs(const TaskConfig& config);

/// The columns of documents: the keys of the first, or those of the split where there is none.
std::vector<std::string> columns_of(const std::vector<core::Document>& documents,
                                    const core::Split& split);

}  // namespace tare::task
