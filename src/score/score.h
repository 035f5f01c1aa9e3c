#pragma once

#include <span>

#include "base/result.h"
#include "core/functions.h"
#include "core/request.h"
#include "core/score.h"
#include "core/task.h"

/// Responses to per-document metrics to estimates, as lm-eval 0.4.13 computes them.
namespace tare::score {

/// Refused before anything runs: a metric or aggregation that is unknown, or that the task's output
/// type cannot give. The error names the task and what there is.
base::Status check_metrics(const core::BuiltTask& task, const core::Functions* functions = nullptr);

/// `responses` are in the order of task.requests, task.repeats in a row for each. Documents with a
/// failed request have no metrics and are counted; estimates are over the others. `functions` run
/// the task's !functions; null if it has none.
base::Result<core::TaskScore> score_task(const core::BuiltTask& task,
                                         std::span<const core::Response> responses,
                                         core::Functions* functions = nullptr);

}  // namespace tare::score
