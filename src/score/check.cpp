#include "score/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/nearest.h"
#include "score/gold.h"

namespace tare::score {
namespace {

using base::Status;
using core::BuiltTask;
using core::MetricSpec;
using core::OutputType;

std::string_view name_of(OutputType type) {
  switch (type) {
    case OutputType::loglikelihood:
      return "loglikelihood";
    case OutputType::multiple_choice:
      return "multiple_choice";
    case OutputType::loglikelihood_rolling:
      return "loglikelihood_rolling";
    case OutputType::generate_until:
      return "generate_until";
  }
  return "?";
}

std::vector<std::string> metric_names(OutputType type) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics())
    if (metric.output_type == type) names.emplace_back(metric.name);
  return names;
}

base::Failure no_such_metric(const BuiltTask& task, const std::string& name) {
  const auto names = metric_names(task.output_type);
  const std::string subject = fmt::format("task {}, metric {}", task.name, name);
  if (known_to_lm_eval(name))
    return base::input_error(fmt::format("{}: not built in yet for {} tasks; there is {}", subject,
                                         name_of(task.output_type), base::join_or(names)));
  const auto near = base::nearest_names(name, names);
  const auto& offered = near.empty() ? names : near;
  return base::input_error(
      fmt::format("{}: unknown; did you mean {}? (metric_list)", subject, base::join_or(offered)));
}

base::Result<const Aggregation*> aggregation_for(const BuiltTask& task, const MetricSpec& spec,
                                                 const Metric& metric) {
  const std::string name(spec.aggregation.empty() ? metric.aggregation : spec.aggregation);
  const Aggregation* found = find_aggregation(name);
  if (found != nullptr && found->takes() == metric.gives) return found;
  std::vector<std::string> fitting;
  for (const Aggregation& aggregation : aggregations())
    if (aggregation.takes() == metric.gives) fitting.emplace_back(aggregation.name);
  return base::input_error(
      fmt::format("task {}, metric {}: aggregation {} is {}; use {}", task.name, spec.name, name,
                  found == nullptr ? "not built in" : "not for the values of this metric",
                  base::join_or(fitting)));
}

base::Result<Wanted> resolve(const BuiltTask& task, const MetricSpec& spec) {
  const Metric* metric = find_metric(spec.name, task.output_type);
  if (metric == nullptr) return no_such_metric(task, spec.name);
  TARE_TRY(const Aggregation* aggregation, aggregation_for(task, spec, *metric));
  return Wanted{metric, aggregation, spec.higher_is_better};
}

/// A metric that the list names twice counts once, with what its last entry says.
base::Result<std::vector<Wanted>> wanted_metrics(const BuiltTask& task) {
  std::vector<Wanted> listed;
  for (const MetricSpec& spec : task.metrics) {
    TARE_TRY(const Wanted wanted, resolve(task, spec));
    listed.push_back(wanted);
  }
  std::vector<Wanted> ordered;
  for (const Metric& metric : metrics()) {
    const auto last = std::find_if(listed.rbegin(), listed.rend(),
                                   [&](const Wanted& wanted) { return wanted.metric == &metric; });
    if (last != listed.rend()) ordered.push_back(*last);
  }
  return ordered;
}

Status check_output_type(const BuiltTask& task) {
  if (!metric_names(task.output_type).empty()) return {};
  return base::input_error(fmt::format(
      "task {}: output_type {} is not built in yet; there is multiple_choice and loglikelihood",
      task.name, name_of(task.output_type)));
}

bool wants_mutual_information(const BuiltTask& task) {
  return std::any_of(task.metrics.begin(), task.metrics.end(),
                     [](const MetricSpec& spec) { return spec.name == "acc_mutual_info"; });
}

Status check_lists(const BuiltTask& task, const std::vector<Wanted>& wanted) {
  const bool lists = !task.golds.empty() && task.golds.front().target.is_list();
  if (!lists || task.multiple_input) return {};
  for (const Wanted& want : wanted)
    if (!want.metric->takes_lists)
      return base::input_error(
          fmt::format("task {}, metric {}: targets are lists, the metric takes one target a "
                      "document; remove it from metric_list",
                      task.name, want.metric->name));
  return {};
}

Status check_choices(const BuiltTask& task, const std::vector<Wanted>& wanted) {
  TARE_CHECK(check_lists(task, wanted));
  const std::size_t per_choice = wants_mutual_information(task) ? 2 : 1;
  const auto ranges = core::request_ranges(task);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    TARE_CHECK(gold_choices(task, i));
    const std::size_t choices = task.golds[i].choices.size();
    if (choices > 0 && ranges[i].size() == per_choice * choices) continue;
    return base::input_error(fmt::format("task {}, doc {}: {} requests for {} choices, wanted {}",
                                         task.name, task.doc_ids[i], ranges[i].size(), choices,
                                         per_choice * std::max<std::size_t>(choices, 1)));
  }
  return {};
}

Status check_single_requests(const BuiltTask& task) {
  const auto ranges = core::request_ranges(task);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (ranges[i].size() != 1)
      return base::input_error(fmt::format("task {}, doc {}: {} requests, wanted 1", task.name,
                                           task.doc_ids[i], ranges[i].size()));
  return {};
}

}  // namespace

base::Result<std::vector<Wanted>> check_task(const BuiltTask& task) {
  TARE_CHECK(check_output_type(task));
  TARE_TRY(auto wanted, wanted_metrics(task));
  const bool choice = task.output_type == OutputType::multiple_choice;
  TARE_CHECK(choice ? check_choices(task, wanted) : check_single_requests(task));
  return wanted;
}

}  // namespace tare::score
