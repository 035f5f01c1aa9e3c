#pragma once

#include <vector>

#include "base/result.h"
#include "core/task.h"
#include "score/aggregations.h"
#include "score/metrics.h"

namespace tare::score {

/// A metric that a task asks for, with all that it takes to compute it.
struct Wanted {
  const Metric* metric = nullptr;
  const Aggregation* aggregation = nullptr;
  bool higher_is_better = true;
};

/// The task's metrics in the order of metrics(). Error: something that score::check_metrics
/// refuses.
base::Result<std::vector<Wanted>> check_task(const core::BuiltTask& task);

}  // namespace tare::score
