#pragma once

#include <string>

#include "core/run_record.h"

namespace tare::report {

/// lm-eval's console output: the line about the model, then the markdown table of metrics with ±
/// and arrows. Ends with a newline.
std::string console_table(const core::RunRecord& run);

}  // namespace tare::report
