#pragma once

#include <string>
#include <vector>

#include "cli/study_plan.h"

namespace tare::cli {

/// An output folder that cannot be written, and what `tare run` would refuse of the cells without
/// results of what the file asks now, each once, with the model and backend that it is about.
/// Servers are asked; no weights are loaded. What only a loaded model shows is left: prompts that
/// are too long, memory that is too small.
std::vector<std::string> refusals_of(const StudyPlan& plan);

}  // namespace tare::cli
