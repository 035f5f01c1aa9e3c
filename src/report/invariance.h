#pragma once

#include <string>
#include <vector>

#include "core/invariance.h"
#include "core/score.h"

namespace tare::report {

/// "invariance: 6 comparisons, all bitwise equal (tile 8, tier zen4)"; "" where nothing was to be
/// found out: answers that are looked up, and fast mode, which has its warning.
std::string invariance_line(const core::Invariance& invariance, const std::string& cpu_tier);

/// What a reader of the scores must know: that the class of shapes had to be narrowed, that results
/// depend on how they are computed, or that nothing was promised.
std::vector<core::Warning> invariance_warnings(const core::Invariance& invariance);

}  // namespace tare::report
