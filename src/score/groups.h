#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/run_record.h"

namespace tare::score {

/// One entry of a group's aggregate_metric_list.
struct GroupMetric {
  std::string metric;
  bool weight_by_size = true;
  std::vector<std::string> filters;  ///< empty: every filter that some task has for the metric
};

/// Reads an aggregate_metric_list (a list, one mapping, or none). Error: an unknown key, or an
/// aggregation other than "mean".
base::Result<std::vector<GroupMetric>> group_metrics(const std::string& group,
                                                     const base::Value& list);

/// The group's estimates over its leaf tasks, as lm-eval 0.4.13 pools them (api/group.py): means
/// weighted by documents or not; Σ(sᵢ−1)·seᵢ²·sᵢ/(Σsᵢ−k)/Σsᵢ under the root, or √Σseᵢ²/k. A missing
/// standard error of one task leaves the group without. Tasks that lack a metric are skipped and
/// named in a warning.
struct GroupScore {
  std::vector<core::Estimate> estimates;
  std::size_t sample_length = 0;  ///< documents of all its tasks
  std::vector<core::Warning> warnings;
};
GroupScore score_group(const std::string& group, std::span<const GroupMetric> metrics,
                       std::span<const core::TaskRecord* const> tasks);

/// Documents behind a task's row: the largest number that one of its metrics has.
std::size_t sample_length(const core::TaskRecord& task);

}  // namespace tare::score
