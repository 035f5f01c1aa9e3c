#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/run_options.h"
#include "core/task.h"
#include "plan/plan.h"
#include "run/forecast.h"
#include "store/planned.h"

namespace tare::cli {

/// "time: about 0:40 on this machine, where the last run scored 468 unique tokens/s", or that
/// nothing is known.
std::string time_text(const run::Progress& work, const run::Speeds& speeds);

/// For a plan, from what speed_memory() knows; none: nothing.
std::optional<store::PlannedTime> expected_time(const plan::Plan& plan,
                                                std::span<const core::BuiltTask> tasks,
                                                const RunOptions& options);

/// The same as a line of text.
std::string time_line(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                      const RunOptions& options);

}  // namespace tare::cli
