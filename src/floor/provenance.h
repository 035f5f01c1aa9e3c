#pragma once

#include <vector>

#include "floor/findings.h"
#include "report/table.h"

namespace tare::floor {

/// What the numbers are of: versions, machine, text; files with their hashes; every factor of every
/// setting.
std::vector<report::Table> provenance_tables(const Findings& findings);

}  // namespace tare::floor
