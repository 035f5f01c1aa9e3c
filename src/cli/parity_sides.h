#pragma once

#include <filesystem>

#include "base/result.h"
#include "cli/planned.h"
#include "cli/run_options.h"
#include "study/parity.h"

namespace tare::cli {

/// What a run of the options would ask. `planned` outlives the side.
study::Side planned_side(const Planned& planned, const RunOptions& options);

/// What a finished run asked. Errors: no finished run, no samples.
base::Result<study::Side> finished_side(const std::filesystem::path& folder);

}  // namespace tare::cli
