#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"
#include "cli/run_options.h"
#include "core/invariance.h"
#include "core/task.h"
#include "plan/plan.h"
#include "store/journal_header.h"

namespace tare::cli {

/// What the run asks and of what, so that another run can tell whether it asks the same. `command`
/// holds the words behind `tare run`.
store::JournalHeader journal_header(const RunOptions& options, const backend::Backend& backend,
                                    const std::vector<core::BuiltTask>& tasks,
                                    const plan::Plan& plan, const core::Invariance& invariance,
                                    std::vector<std::string> command);

/// Who answered, as journal_header() wrote it down; path and name of the model are not there.
backend::Identity identity_of(const store::JournalHeader& header);
/// What it could do.
backend::Capabilities capabilities_of(const store::JournalHeader& header);
/// What it found before its first answer. Error: the journal does not say.
base::Result<core::Invariance> invariance_of(const store::JournalHeader& header);

}  // namespace tare::cli
