#include "cli/groups.h"

#include <algorithm>

#include "base/python.h"

namespace tare::cli {
namespace {

using core::TaskRecord;

/// The tasks below a group, each as often as it stands there, in the order of the members.
void collect_leaves(const std::vector<PlannedGroup>& groups, const core::RunRecord& record,
                    const std::string& name, std::vector<const TaskRecord*>& leaves) {
  const auto group = std::ranges::find_if(
      groups, [&](const PlannedGroup& candidate) { return candidate.config.name == name; });
  if (group != groups.end()) {
    for (const std::string& child : group->config.children)
      collect_leaves(groups, record, child, leaves);
    return;
  }
  for (const TaskRecord& task : record.tasks)
    if (task.task.name == name) leaves.push_back(&task);
}

base::Value version_of(const task::GroupConfig& group) {
  const base::Value* version = group.metadata.find("version");
  return version == nullptr ? "N/A" : base::python::str(*version);
}

}  // namespace

base::Result<std::vector<PlannedGroup>> plan_groups(std::vector<task::GroupConfig> groups) {
  std::vector<PlannedGroup> planned;
  for (task::GroupConfig& config : groups) {
    TARE_TRY(auto metrics, score::group_metrics(config.name, config.aggregate_metric_list));
    planned.push_back({std::move(config), std::move(metrics)});
  }
  return planned;
}

void score_groups(const std::vector<PlannedGroup>& groups, core::RunRecord& record) {
  for (const PlannedGroup& planned : groups) {
    const task::GroupConfig& config = planned.config;
    std::vector<const TaskRecord*> leaves;
    collect_leaves(groups, record, config.name, leaves);
    score::GroupScore score = score::score_group(config.name, planned.metrics, leaves);
    record.groups.push_back({config.name, config.alias.value_or(config.name), version_of(config),
                             config.children, std::move(score.estimates), score.sample_length,
                             !planned.metrics.empty()});
    for (core::Warning& warning : score.warnings) record.warnings.push_back(std::move(warning));
  }
}

}  // namespace tare::cli
