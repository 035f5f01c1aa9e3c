#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "study/cells.h"

namespace tare::study {

/// How a run went whose model was asked.
struct Pace {
  Cell cell;
  double load_seconds = 0;
  double score_seconds = 0;
  std::size_t answers = 0;  ///< asked in this time, > 0
};

/// Seconds that a cell takes to ask `items` questions, from the runs that are most like it: of the
/// same model and backend, then of the same benchmark, then of the same mode. Nothing where no run
/// of the model and backend is known.
std::optional<double> expected_seconds(const Cell& cell, std::size_t items,
                                       std::span<const Pace> paces);

/// Seconds that loading the model took at most; nothing where no run is known.
std::optional<double> expected_load(const Cell& cell, std::span<const Pace> paces);

}  // namespace tare::study
