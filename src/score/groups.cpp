#include "score/groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/python.h"

namespace tare::score {
namespace {

using base::List;
using base::Result;
using base::Value;
using core::Estimate;
using core::TaskRecord;

base::Failure refuse(const std::string& group, const std::string& why) {
  return base::input_error(fmt::format("group {}: aggregate_metric_list: {}", group, why));
}

Result<std::vector<std::string>> filter_names(const std::string& group, const Value& value) {
  std::vector<std::string> names;
  if (value.is_none()) return names;
  const List single{value};
  for (const Value& name : value.is_list() ? value.items() : single) {
    if (!name.is_string()) return refuse(group, "filter_list: wanted names of filters");
    names.push_back(name.as_string());
  }
  return names;
}

base::Status set_key(const std::string& group, const std::string& key, const Value& value,
                     GroupMetric& metric) {
  if (key == "metric" && value.is_string()) {
    metric.metric = value.as_string();
  } else if (key == "weight_by_size" && value.is_bool()) {
    metric.weight_by_size = value.as_bool();
  } else if (key == "filter_list") {
    TARE_TRY(metric.filters, filter_names(group, value));
  } else if (key == "aggregation") {
    if (!(value == Value("mean")))
      return refuse(group,
                    fmt::format("aggregation: found {}, wanted mean", base::python::repr(value)));
  } else {
    return refuse(group, fmt::format("{}: found {}, wanted metric (a name), weight_by_size (true "
                                     "or false), filter_list or aggregation: mean",
                                     key, base::python::repr(value)));
  }
  return {};
}

/// What one metric and filter has in the tasks that have it.
struct Members {
  std::vector<double> values, errors, sizes;
  std::vector<std::string> without;  ///< names of tasks that lack it
  bool higher_is_better = true;
};

const Estimate* find_estimate(const TaskRecord& task, const std::string& metric,
                              const std::string& filter) {
  const auto found = std::ranges::find_if(task.score.estimates, [&](const Estimate& estimate) {
    return estimate.metric == metric && estimate.filter == filter;
  });
  return found == task.score.estimates.end() ? nullptr : &*found;
}

Members members_of(std::span<const TaskRecord* const> tasks, const std::string& metric,
                   const std::string& filter) {
  Members members;
  for (const TaskRecord* task : tasks) {
    const Estimate* estimate = find_estimate(*task, metric, filter);
    if (estimate == nullptr) {
      members.without.push_back(task->task.name);
      continue;
    }
    members.values.push_back(estimate->value);
    members.sizes.push_back(static_cast<double>(sample_length(*task)));
    if (estimate->standard_error) members.errors.push_back(*estimate->standard_error);
    members.higher_is_better = estimate->higher_is_better;
  }
  return members;
}

double sum(std::span<const double> x) {
  double total = 0;
  for (const double value : x) total += value;
  return total;
}

double weighted_mean(const Members& members) {
  double total = 0;
  for (std::size_t i = 0; i < members.values.size(); ++i)
    total += members.values[i] * members.sizes[i];
  return total / sum(members.sizes);
}

double pooled_error(const Members& members) {
  double variance = 0;
  for (std::size_t i = 0; i < members.errors.size(); ++i)
    variance += (members.sizes[i] - 1) * (members.errors[i] * members.errors[i]) * members.sizes[i];
  const double size = sum(members.sizes);
  variance /= size - static_cast<double>(members.sizes.size());
  return std::sqrt(variance / size);
}

double unweighted_error(const Members& members) {
  double squares = 0;
  for (const double error : members.errors) squares += error * error;
  return std::sqrt(squares) / static_cast<double>(members.errors.size());
}

Estimate pooled(const GroupMetric& metric, const std::string& filter, const Members& members) {
  Estimate estimate;
  estimate.metric = metric.metric;
  estimate.filter = filter;
  estimate.higher_is_better = members.higher_is_better;
  estimate.documents = static_cast<std::size_t>(sum(members.sizes));
  const auto count = static_cast<double>(members.values.size());
  estimate.value = metric.weight_by_size ? weighted_mean(members) : sum(members.values) / count;
  if (members.errors.size() == members.values.size())
    estimate.standard_error =
        metric.weight_by_size ? pooled_error(members) : unweighted_error(members);
  return estimate;
}

/// Every filter under which some task has the metric, sorted.
std::vector<std::string> filters_of(std::span<const TaskRecord* const> tasks,
                                    const std::string& metric) {
  std::vector<std::string> filters;
  for (const TaskRecord* task : tasks)
    for (const Estimate& estimate : task->score.estimates)
      if (estimate.metric == metric && std::ranges::find(filters, estimate.filter) == filters.end())
        filters.push_back(estimate.filter);
  std::ranges::sort(filters);
  return filters;
}

}  // namespace

Result<std::vector<GroupMetric>> group_metrics(const std::string& group, const Value& list) {
  std::vector<GroupMetric> metrics;
  if (list.is_none()) return metrics;
  const List single{list};
  for (const Value& entry : list.is_list() ? list.items() : single) {
    if (!entry.is_dict()) return refuse(group, "wanted mappings with 'metric'");
    GroupMetric metric;
    for (const auto& [key, value] : entry.as_dict())
      TARE_CHECK(set_key(group, base::python::str(key), value, metric));
    if (metric.metric.empty()) return refuse(group, "an entry names no metric");
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

std::size_t sample_length(const TaskRecord& task) {
  std::size_t longest = 0;
  for (const Estimate& estimate : task.score.estimates)
    longest = std::max(longest, estimate.documents);
  return longest;
}

GroupScore score_group(const std::string& group, std::span<const GroupMetric> metrics,
                       std::span<const TaskRecord* const> tasks) {
  GroupScore score;
  for (const TaskRecord* task : tasks) score.sample_length += sample_length(*task);
  for (const GroupMetric& metric : metrics) {
    const auto filters = metric.filters.empty() ? filters_of(tasks, metric.metric) : metric.filters;
    for (const std::string& filter : filters) {
      const Members members = members_of(tasks, metric.metric, filter);
      if (members.values.empty()) continue;
      if (!members.without.empty())
        score.warnings.push_back(
            {"group-lacks-metric",
             fmt::format("group {}: {},{} leaves out tasks that lack it: {}", group, metric.metric,
                         filter, fmt::join(members.without, ", ")),
             members.without.size()});
      score.estimates.push_back(pooled(metric, filter, members));
    }
  }
  return score;
}

}  // namespace tare::score
