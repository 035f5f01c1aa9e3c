#pragma once

#include <string>
#include <vector>

#include "floor/findings.h"
#include "report/table.h"

/// Over how many decades the KL of positions spreads, as pictures and as counts.
namespace tare::floor {

/// Positions by decade, a row for each setting of each file and for each further file.
report::Table distribution_table(const Findings& findings, const std::string& id);

/// A picture for each of them, all on one axis.
std::string distributions_html(const Findings& findings);

}  // namespace tare::floor
