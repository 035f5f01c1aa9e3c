#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/read_facts.h"
#include "study/compare.h"
#include "study/design.h"
#include "study/observations.h"

namespace tare::study {

/// A cell that has no results, and why.
struct FailedCell {
  Cell cell;
  std::string reason;
};

/// A line for each reason: how many cells failed for it, and the first of them.
std::vector<std::string> failure_lines(const Design& design, std::span<const FailedCell> failed);

/// What a backend said of itself when it ran a model.
struct BackendFacts {
  std::size_t model = 0, backend = 0;
  store::RunFacts facts;
};

/// A study as far as it has been run.
struct Findings {
  Design design;
  Observations observations;
  std::vector<Comparison> comparisons;
  std::vector<BackendFacts> facts;  ///< of each model and backend that has a finished cell
  std::vector<FailedCell> failed;
  std::size_t finished = 0, planned = 0;  ///< cells
  std::vector<std::pair<std::size_t, std::size_t>>
      sampled;  ///< of each benchmark: documents that are asked, of how many
  std::vector<core::Warning> run_warnings;  ///< of the cells' runs, each text once
  std::vector<std::string> notes;           ///< more warnings
};

/// The comparisons that a cell of a table is made of.
using Those = std::vector<const Comparison*>;
Those those(const Findings& findings, const std::function<bool(const Comparison&)>& wanted);

/// Mean |Δ|; nothing of none.
std::optional<double> mean_divergence(const Those& comparisons);
/// Significant ones, of those with a test.
struct Share {
  std::size_t part = 0, whole = 0;
};
Share significant(const Those& comparisons, double alpha);

/// Backends but the baseline, in order.
std::vector<std::size_t> targets(const Design& design);

/// Which benchmarks are there in part, for the notes of tables; "" if all are whole.
std::string partial_note(const Findings& findings);

/// The mode in which only the machinery differs, or the first one of a study without it.
const std::string& structural_mode(const Design& design);

}  // namespace tare::study
