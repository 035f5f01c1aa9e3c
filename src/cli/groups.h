#pragma once

#include <vector>

#include "base/result.h"
#include "core/run_record.h"
#include "score/groups.h"
#include "task/task.h"

namespace tare::cli {

/// A group that was asked for, with its aggregate_metric_list read.
struct PlannedGroup {
  task::GroupConfig config;
  std::vector<score::GroupMetric> metrics;
};

base::Result<std::vector<PlannedGroup>> plan_groups(std::vector<task::GroupConfig> groups);

/// Adds the groups to a record whose tasks are scored.
void score_groups(const std::vector<PlannedGroup>& groups, core::RunRecord& record);

}  // namespace tare::cli
