#pragma once

#include <string>

#include "base/result.h"
#include "cli/planned.h"
#include "cli/run_options.h"
#include "store/find_run.h"
#include "study/parity.h"

namespace tare::cli {

/// What a run of the options would ask. `planned` outlives the side.
study::Side planned_side(const Planned& planned, const RunOptions& options);

/// What a finished run asked, tare's or lm-eval's, under a name. Errors: no results, no samples.
base::Result<study::Side> finished_side(const store::RunFiles& files, std::string name);

}  // namespace tare::cli
