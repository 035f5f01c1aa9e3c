#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/run_record.h"

namespace tare::report {

/// lm-eval's console output: the line about the model, then the markdown table of metrics with ±
/// and arrows. Ends with a newline.
std::string console_table(const core::RunRecord& run);

/// Headers of its columns that a narrow terminal may do without, the least needed first.
inline constexpr std::array<std::string_view, 3> kSpareColumns{"Version", "n-shot", "Filter"};

}  // namespace tare::report
