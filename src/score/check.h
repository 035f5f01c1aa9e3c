#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/task.h"
#include "score/aggregations.h"
#include "score/metrics.h"
#include "score/text_metrics.h"

namespace tare::score {

/// How the values of a metric become one number: by a built-in aggregation or the task's function.
struct Reduction {
  const Aggregation* aggregation = nullptr;
  std::optional<core::FunctionRef> function;
  bool higher_is_better = true;
  std::optional<double> ideal = std::nullopt;
};

/// A metric that a task asks for, with what gives its value for a document: one of the three.
struct Wanted {
  std::string name;
  const Metric* metric = nullptr;
  const TextMetric* text_metric = nullptr;
  std::optional<core::FunctionRef> function;
  base::Value arguments;
  Reduction reduction;
};

/// How a task is scored.
struct Scoring {
  /// In the order in which lm-eval lists them. With the task's own process_results they only say
  /// how its metrics are aggregated.
  std::vector<Wanted> metrics;
};

/// Error: something that score::check_metrics refuses.
base::Result<Scoring> check_task(const core::BuiltTask& task, const core::Functions* functions);

}  // namespace tare::score
