#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/run_page.h"

namespace tare::study {

/// How the samples of a task differ from what the results say of it; nothing if they do not. None:
/// there are no samples. `letter`: the run's.
std::vector<core::Warning> sample_warnings(
    const ShownRun& run, const core::TaskRecord& task,
    const std::optional<std::vector<store::SampledItem>>& items, char letter);

}  // namespace tare::study
