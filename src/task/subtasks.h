#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/document.h"
#include "task/task.h"

namespace tare::task {

/// document_subtasks() of documents that process_docs has made.
base::Result<std::vector<std::string>> subtasks_of(const TaskConfig& config,
                                                   const Benchmark& benchmark,
                                                   const core::Dataset& dataset,
                                                   const std::vector<core::Document>& documents);

/// The parts and the number of documents that the benchmark has, held against the data's.
core::Coverage coverage_of(const Benchmark& benchmark, const std::vector<std::string>& subtasks);

/// One that names what the data lacks; none if it is whole.
std::vector<core::Warning> coverage_warnings(const core::BuiltTask& task);

}  // namespace tare::task
