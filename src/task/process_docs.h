#pragma once

#include <vector>

#include "base/result.h"
#include "core/functions.h"
#include "task/task.h"

/// Data sets as a task's own functions make them.
namespace tare::task {

/// The rows of a split, through the function `process` if it is one. It is called once: what is
/// prompted and what is scored are the same documents.
base::Result<std::vector<core::Document>> processed_documents(const TaskConfig& config,
                                                              const base::Value& process,
                                                              const core::Split& split,
                                                              core::Functions* functions);

/// What is applied to the split that few-shot examples come from.
const base::Value& fewshot_process_docs(const TaskConfig& config);

/// The columns of documents: the keys of the first, or those of the split where there is none.
std::vector<std::string> columns_of(const std::vector<core::Document>& documents,
                                    const core::Split& split);

}  // namespace tare::task
