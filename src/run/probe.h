#pragma once

#include <span>
#include <stop_token>

#include "backend/backend.h"
#include "base/result.h"
#include "core/invariance.h"
#include "core/task.h"
#include "plan/encode.h"

namespace tare::run {

/// Lets the backend measure whether its answers depend on how they are computed, on some of the
/// run's requests: the first ones in the order of the tasks, so that nothing depends on which part
/// of the plan is asked, or on which answers are known.
base::Result<core::Invariance> probe(std::span<const plan::EncodedRequest> requests,
                                     std::span<const core::BuiltTask> tasks,
                                     backend::Backend& backend, std::stop_token stop);

}  // namespace tare::run
