#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "compare/difference.h"
#include "compare/measure.h"
#include "compare/pairing.h"

namespace tare::compare {

/// Every run but the first against the first.
struct Versus {
  std::size_t second = 1;               ///< its place in Comparison::sides; the first one's is 0
  std::vector<Difference> differences;  ///< what the runs have unlike
  std::vector<Measured> metrics;
  std::size_t items = 0;   ///< documents that both were asked
  std::size_t failed = 0;  ///< of these, without a score on any side
};

struct Comparison {
  std::vector<Side> sides;
  std::vector<Versus> pairs;
  double level = 0.95;
  std::size_t tests = 0;  ///< that Holm's adjustment counts: those of all pairs
};

struct CompareOptions {
  Chosen chosen;
  MeasureOptions measuring;
};

/// The runs by the letters A, B, C... Error: a run that cannot be read, more than 26 of them.
base::Result<std::vector<Side>> read_sides(const std::vector<std::string>& named);

/// Error: as pair_runs, a chosen name that no run has, no chosen task in common. What is left to be
/// compared, if anything, check_compared says.
base::Result<PairedRuns> pair_with_first(const std::vector<Side>& sides, std::size_t second,
                                         const Chosen& chosen);

/// Measures what was paired, for each side but the first; p adjusted over all.
Comparison compare(std::vector<Side> sides, std::vector<PairedRuns> paired,
                   const MeasureOptions& options);

/// "B is worse than A by 2.3 points ...", one sentence or two in plain words.
std::string sentence_of(const Measured& measured, const Comparison& comparison,
                        const Versus& versus);

}  // namespace tare::compare
