#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"
#include "cli/run_options.h"
#include "core/task.h"
#include "plan/plan.h"
#include "store/journal_header.h"

namespace tare::cli {

/// What the run asks and of what, so that another run can tell whether it asks the same. `command`
/// holds the words behind `tare run`.
store::JournalHeader journal_header(const RunOptions& options, const backend::Backend& backend,
                                    const std::vector<core::BuiltTask>& tasks,
                                    const plan::Plan& plan, std::vector<std::string> command);

}  // namespace tare::cli
