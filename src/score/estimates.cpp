#include "score/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/python.h"
#include "stats/backend_effects.h"

namespace tare::score {
namespace {

using base::List;
using base::Result;
using base::Value;

/// The values of one metric, of the documents that have it.
struct Column {
  std::string metric;
  List values;
};

std::vector<Column> columns_of(const core::FilterScore& score, const Scoring& scoring,
                               bool own_scoring) {
  std::vector<Column> columns;
  // Without any scored document the metrics are still listed, as undefined. Of a task's own scoring
  // that goes for those whose ideal it tells.
  for (const Wanted& want : scoring.metrics)
    if (own_scoring ? want.reduction.ideal.has_value() : !want.function)
      columns.push_back({want.name, {}});
  for (const core::DocumentScore& document : score.documents)
    for (const auto& [name, value] : document.metrics) {
      auto column = std::ranges::find(columns, name, &Column::metric);
      if (column == columns.end()) column = columns.insert(columns.end(), {name, {}});
      column->values.push_back(value);
    }
  return columns;
}

/// What the task says of a metric; the parts of a metric function's dict follow that function.
Reduction reduction_of(const Scoring& scoring, const std::string& metric) {
  const auto listed = std::ranges::find(scoring.metrics, metric, &Wanted::name);
  if (listed != scoring.metrics.end()) return listed->reduction;
  const auto function = std::ranges::find_if(
      scoring.metrics, [](const Wanted& want) { return want.function.has_value(); });
  if (function != scoring.metrics.end()) return function->reduction;
  return {find_aggregation("mean"), std::nullopt, true, std::nullopt};
}

stats::Ideal ideal_of(double value) {
  if (value == 1) return stats::Ideal::one;
  return value == 0 ? stats::Ideal::zero : stats::Ideal::half;
}

Result<Aggregated> by_function(const core::FunctionRef& function, List values,
                               core::Functions* functions) {
  const Value argument(std::move(values));
  TARE_TRY(const Value number,
           functions->call(function, core::FunctionUse::aggregation, {&argument, 1}));
  if (number.is_bool()) return Aggregated{number.as_bool() ? 1.0 : 0.0, std::nullopt};
  if (number.is_number()) return Aggregated{number.as_number(), std::nullopt};
  return base::input_error(
      fmt::format("{} gave {}, wanted a number", function.name, base::python::repr(number)));
}

Result<Aggregated> aggregate(const Reduction& reduction, Column column,
                             core::Functions* functions) {
  if (column.values.empty())
    return Aggregated{std::numeric_limits<double>::quiet_NaN(), std::nullopt};
  if (reduction.function)
    return by_function(*reduction.function, std::move(column.values), functions);
  return reduction.aggregation->run(column.values, resamples_for(column.metric));
}

}  // namespace

std::vector<core::Estimate> estimate(const core::BuiltTask& task, const Scoring& scoring,
                                     const core::FilterScore& score, core::Functions* functions) {
  std::vector<core::Estimate> estimates;
  for (Column& column : columns_of(score, scoring, task.process_results.has_value())) {
    const Reduction reduction = reduction_of(scoring, column.metric);
    core::Estimate result;
    result.metric = column.metric;
    result.filter = score.filter;
    result.higher_is_better = reduction.higher_is_better;
    result.documents = column.values.size();
    result.value = std::numeric_limits<double>::quiet_NaN();
    if (const auto aggregated = aggregate(reduction, std::move(column), functions)) {
      result.value = aggregated->value;
      result.standard_error = aggregated->standard_error;
      if (reduction.ideal)
        result.calibrated = stats::calibrate(result.value, ideal_of(*reduction.ideal));
    } else {
      result.failure = aggregated.error().text;
    }
    estimates.push_back(std::move(result));
  }
  return estimates;
}

}  // namespace tare::score
