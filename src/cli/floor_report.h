#pragma once

#include "base/result.h"
#include "cli/floor_options.h"
#include "cli/floor_plan.h"
#include "cli/floor_run.h"
#include "floor/findings.h"

namespace tare::cli {

floor::Findings findings_of(const FloorPlan& plan, const FloorRows& rows,
                            const FloorOptions& options);

/// floor.json, floor.md, the tables as CSV, and positions.jsonl with each position's numbers.
base::Status write_floor(const floor::Findings& findings, const FloorRows& rows,
                         const FloorOptions& options);

}  // namespace tare::cli
