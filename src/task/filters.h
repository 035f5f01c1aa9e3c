#pragma once

#include <string>
#include <vector>

#include "core/task.h"
#include "task/task.h"

namespace tare::task {

/// "" if a filter_list is well-formed, else what is wanted of it.
std::string refuse_filter_list(const base::Value& list);

/// The task's filter pipelines; without a filter_list one named "none" that takes the first
/// response. Of two with one name the last one counts.
std::vector<core::FilterPipeline> filter_pipelines(const TaskConfig& config);

}  // namespace tare::task
