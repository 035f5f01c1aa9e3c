#include "score/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/nearest.h"
#include "base/python.h"
#include "score/filters.h"
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
  if (type != OutputType::generate_until) return names;
  for (const TextMetric& metric : text_metrics())
    if (find_aggregation(metric.aggregation)->takes == metric.gives)
      names.emplace_back(metric.name);
  return names;
}

std::string subject(const BuiltTask& task, const std::string& metric) {
  return fmt::format("task {}, metric {}", task.name, metric);
}

base::Failure no_such_metric(const BuiltTask& task, const std::string& name) {
  const auto names = metric_names(task.output_type);
  if (known_to_lm_eval(name))
    return base::input_error(fmt::format("{}: not for {} tasks; there is {}", subject(task, name),
                                         name_of(task.output_type), base::join_or(names)));
  const auto near = base::nearest_names(name, names);
  const auto& offered = near.empty() ? names : near;
  return base::input_error(fmt::format("{}: unknown; did you mean {}? (metric_list)",
                                       subject(task, name), base::join_or(offered)));
}

base::Failure no_such_aggregation(const BuiltTask& task, const MetricSpec& spec,
                                  const std::string& name, std::optional<ValueKind> gives) {
  std::vector<std::string> fitting;
  for (const Aggregation& aggregation : aggregations())
    if (!gives || aggregation.takes == *gives) fitting.emplace_back(aggregation.name);
  return base::input_error(fmt::format(
      "{}: aggregation {} is {}; use {}", subject(task, spec.name), name,
      find_aggregation(name) == nullptr ? "not built in" : "not for the values of this metric",
      base::join_or(fitting)));
}

/// `by_default` is the metric's own aggregation; `gives` what it gives, if that is known.
base::Result<Reduction> reduction_for(const BuiltTask& task, const MetricSpec& spec,
                                      std::string_view by_default, std::optional<ValueKind> gives) {
  Reduction reduction{nullptr, spec.aggregation_function, spec.higher_is_better, spec.ideal};
  if (reduction.function) return reduction;
  const std::string name(spec.aggregation.empty() ? by_default : spec.aggregation);
  reduction.aggregation = find_aggregation(name);
  if (reduction.aggregation == nullptr || (gives && !fits(*reduction.aggregation, *gives)))
    return no_such_aggregation(task, spec, name, gives);
  return reduction;
}

Status check_arguments(const BuiltTask& task, const MetricSpec& spec, const TextMetric& metric) {
  if (!spec.arguments.is_dict() || metric.gives == ValueKind::texts) return {};
  for (const auto& [key, value] : spec.arguments.as_dict()) {
    const std::string name = base::python::str(key);
    if (std::ranges::find(metric.arguments, name) != metric.arguments.end()) continue;
    const std::vector<std::string> known(metric.arguments.begin(), metric.arguments.end());
    return base::input_error(fmt::format("{}: unknown argument '{}'; it takes {}",
                                         subject(task, spec.name), name,
                                         known.empty() ? "none" : base::join_or(known)));
  }
  // Regular expressions among the arguments are compiled before anything runs.
  auto tried = metric.value({base::Value(""), false, base::Value("")}, spec.arguments);
  if (!tried) return base::in_context(subject(task, spec.name), tried.error());
  return {};
}

bool fetched_from_hub(const MetricSpec& spec) {
  const base::Value* flag = spec.arguments.find("hf_evaluate");
  return flag != nullptr && flag->truthy();
}

MetricSpec without_flag(MetricSpec spec) {
  if (!spec.arguments.is_dict()) return spec;
  base::Dict arguments = spec.arguments.as_dict();
  arguments.erase("hf_evaluate");
  spec.arguments = std::move(arguments);
  return spec;
}

base::Result<Wanted> wanted_metric(const BuiltTask& task, const MetricSpec& written) {
  const MetricSpec spec = without_flag(written);
  Wanted wanted;
  wanted.name = spec.name;
  wanted.arguments = spec.arguments;
  wanted.function = spec.function;
  std::string_view by_default = "mean";
  std::optional<ValueKind> gives;
  if (!task.process_results && !spec.function) {
    // Only generated answers are handed to a metric's function; other tasks have values of their
    // own.
    if (fetched_from_hub(written) && spec.name != "exact_match" &&
        task.output_type == OutputType::generate_until)
      return base::input_error(fmt::format(
          "{}: hf_evaluate: fetches Python code from the hub, which is not built in; use one of {}",
          subject(task, spec.name), base::join_or(metric_names(task.output_type))));
    wanted.metric = find_metric(spec.name, task.output_type);
    if (task.output_type == OutputType::generate_until)
      wanted.text_metric = find_text_metric(spec.name);
    if (wanted.metric != nullptr) {
      by_default = wanted.metric->aggregation;
      gives = wanted.metric->gives;
    } else if (wanted.text_metric != nullptr) {
      by_default = wanted.text_metric->aggregation;
      gives = wanted.text_metric->gives;
      if (!written.aggregation_function && find_aggregation(by_default)->takes != *gives)
        return no_such_metric(task, spec.name);
      TARE_CHECK(check_arguments(task, spec, *wanted.text_metric));
    } else {
      return no_such_metric(task, spec.name);
    }
  }
  TARE_TRY(wanted.reduction, reduction_for(task, spec, by_default, gives));
  return wanted;
}

/// lm-eval lists log-likelihood metrics in an order of its own, others as the task does.
void put_in_order(std::vector<Wanted>& wanted) {
  const auto place = [](const Wanted& want) {
    return want.metric == nullptr ? metrics().size()
                                  : static_cast<std::size_t>(want.metric - metrics().data());
  };
  std::ranges::stable_sort(wanted, {}, place);
}

/// A metric that the list names twice counts once, with what its last entry says.
base::Result<std::vector<Wanted>> wanted_metrics(const BuiltTask& task) {
  std::vector<Wanted> all;
  for (const MetricSpec& spec : task.metrics) {
    TARE_TRY(Wanted wanted, wanted_metric(task, spec));
    const auto same = std::ranges::find(all, wanted.name, &Wanted::name);
    if (same == all.end()) {
      all.push_back(std::move(wanted));
    } else {
      *same = std::move(wanted);
    }
  }
  put_in_order(all);
  return all;
}

bool wants_mutual_information(const BuiltTask& task) {
  return std::any_of(task.metrics.begin(), task.metrics.end(),
                     [](const MetricSpec& spec) { return spec.name == "acc_mutual_info"; });
}

bool takes_lists(const Wanted& wanted) {
  if (wanted.metric != nullptr) return wanted.metric->takes_lists;
  return wanted.text_metric == nullptr || wanted.text_metric->takes_lists;
}

Status check_lists(const BuiltTask& task, const std::vector<Wanted>& wanted) {
  const bool lists = !task.golds.empty() && task.golds.front().target.is_list();
  if (!lists || task.multiple_input ||
      (task.has_choices && task.output_type == OutputType::generate_until))
    return {};
  for (const Wanted& want : wanted)
    if (!takes_lists(want))
      return base::input_error(
          fmt::format("{}: targets are lists, the metric takes one target a document; remove it "
                      "from metric_list",
                      subject(task, want.name)));
  return {};
}

Status check_choices(const BuiltTask& task) {
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

/// The first k of fewer than k answers are none.
Status check_count(const BuiltTask& task, const core::FilterPipeline& pipeline,
                   const core::FilterStep& step) {
  const base::Value* count = step.arguments.find("k");
  const bool too_many = step.name == "take_first_k" && count != nullptr && count->is_int() &&
                        count->as_int() > static_cast<std::int64_t>(task.repeats);
  if (!too_many) return {};
  return base::input_error(
      fmt::format("task {}, filter {}: take_first_k: k is {} but repeats is {}; lower k or raise "
                  "repeats",
                  task.name, pipeline.name, count->as_int(), task.repeats));
}

Status check_filters(const BuiltTask& task, const core::Functions* functions) {
  for (const core::FilterPipeline& pipeline : task.filters)
    for (const core::FilterStep& step : pipeline.steps)
      if (auto checked = check_filter(step, functions); !checked)
        return base::in_context(fmt::format("task {}, filter {}", task.name, pipeline.name),
                                checked.error());
  for (const core::FilterPipeline& pipeline : task.filters)
    for (const core::FilterStep& step : pipeline.steps)
      TARE_CHECK(check_count(task, pipeline, step));
  return {};
}

}  // namespace

base::Result<Scoring> check_task(const BuiltTask& task, const core::Functions* functions) {
  Scoring scoring;
  TARE_TRY(scoring.metrics, wanted_metrics(task));
  TARE_CHECK(check_filters(task, functions));
  if (task.process_results) return scoring;
  const bool choice = task.output_type == OutputType::multiple_choice;
  TARE_CHECK(check_lists(task, scoring.metrics));
  TARE_CHECK(choice ? check_choices(task) : check_single_requests(task));
  return scoring;
}

}  // namespace tare::score
