#pragma once

#include <vector>

#include "base/result.h"
#include "core/functions.h"
#include "core/score.h"
#include "core/task.h"
#include "score/check.h"

namespace tare::score {

/// One estimate for each metric that some document has, in the order in which the metrics appear.
/// A metric that the task does not list is averaged, as in lm-eval.
/// One that cannot be aggregated is NaN and says why.
std::vector<core::Estimate> estimate(const core::BuiltTask& task, const Scoring& scoring,
                                     const core::FilterScore& score, core::Functions* functions);

}  // namespace tare::score
