#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"
#include "cli/groups.h"
#include "cli/run_options.h"
#include "core/invariance.h"
#include "core/task.h"
#include "plan/plan.h"
#include "store/journal_header.h"

namespace tare::cli {

/// The questions of a run, and how they are put together to scores.
struct Asked {
  const RunOptions& options;
  const std::vector<core::BuiltTask>& tasks;
  const std::vector<PlannedGroup>& groups;
};

/// What the run asks and of what, so that another run can tell whether it asks the same. `command`
/// holds the words behind `tare run`.
store::JournalHeader journal_header(const Asked& asked, const plan::Plan& plan,
                                    const backend::Backend& backend,
                                    const core::Invariance& invariance,
                                    std::vector<std::string> command);

/// The header of such a run as far as it is known before all of this is there, and the recorded one
/// for the rest. `backend`: what is known of backend_value().
store::JournalHeader expected_header(store::JournalHeader recorded, const Asked& asked,
                                     const base::Dict& backend);
/// Puts the requests into a header.
void set_requests(store::JournalHeader& header, const std::vector<core::BuiltTask>& tasks,
                  const plan::Plan& plan);

/// Who answered, as journal_header() wrote it down; path and name of the model are not there.
backend::Identity identity_of(const store::JournalHeader& header);
/// What it could do.
backend::Capabilities capabilities_of(const store::JournalHeader& header);
/// What it found before its first answer. Error: the journal does not say.
base::Result<core::Invariance> invariance_of(const store::JournalHeader& header);

}  // namespace tare::cli
