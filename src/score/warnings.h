#pragma once

#include <span>
#include <vector>

#include "core/request.h"
#include "core/score.h"
#include "core/task.h"

namespace tare::score {

/// What a reader must know before trusting the estimates: contexts that were cut, documents without
/// a score, targets outside the choices, choices that all scored alike, log-likelihoods that are
/// no numbers, and estimates that are not defined. Each kind that occurs gives one warning with its
/// count.
std::vector<core::Warning> task_warnings(const core::BuiltTask& task,
                                         std::span<const core::Response> responses,
                                         const core::TaskScore& score);

}  // namespace tare::score
