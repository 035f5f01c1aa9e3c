#pragma once

#include <optional>

#include "base/result.h"
#include "cli/floor_options.h"
#include "cli/floor_plan.h"
#include "cli/floor_run.h"
#include "floor/findings.h"

namespace tare::cli {

/// `answers`: none if no items were asked.
floor::Findings findings_of(const FloorPlan& plan, const FloorRows& rows,
                            std::optional<floor::Answers> answers, const FloorOptions& options);

/// floor.json, floor.md, floor.html, the tables as CSV, positions.jsonl with each position's
/// numbers, and flips.jsonl with the items that were answered differently.
base::Status write_floor(const floor::Findings& findings, const FloorRows& rows,
                         const FloorOptions& options);

}  // namespace tare::cli
