#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "compare/pairing.h"

/// Which tasks and metrics were chosen, and whether two runs have any of them.
namespace tare::compare {

/// Metrics as they are meant: "exact_match" before "strict" is the metric "exact_match,strict"
/// where a run has that and no metric "strict".
std::vector<std::string> whole_metrics(const std::vector<Side>& sides,
                                       const std::vector<std::string>& words);

/// Error: a chosen name is in none of the runs.
base::Status check_chosen(const std::vector<Side>& sides, const Chosen& chosen);

/// Error: two runs have none of the chosen tasks in common.
base::Status check_common_task(const Side& first, const Side& second, const Chosen& chosen);

/// Error: of two runs nothing is left to compare: no metric, or no document.
base::Status check_compared(const Side& first, const Side& second, const Chosen& chosen,
                            const PairedRuns& paired);

}  // namespace tare::compare
