#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/task.h"
#include "task/task.h"

namespace tare::task {

/// "" if a metric_list is well-formed, else what is wanted of it. !function entries pass.
std::string refuse_metric_list(const base::Value& list);

/// The task's metrics with lm-eval's defaults: the list by output type where the task gives none,
/// the aggregation and the direction of each registered metric. A metric that appears twice keeps
/// its first place and its last entry. A metric that is a !function has that function's name.
/// `predict_only`: the one metric is "bypass".
std::vector<core::MetricSpec> metric_specs(const TaskConfig& config, bool predict_only);

}  // namespace tare::task
