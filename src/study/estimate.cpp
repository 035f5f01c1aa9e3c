#include "study/estimate.h"

#include <algorithm>

namespace tare::study {
namespace {

bool same_lane(const Cell& a, const Cell& b) {
  return a.model == b.model && a.backend == b.backend;
}

/// 0: of another lane. A benchmark says more about the length of answers than a mode.
int likeness(const Cell& a, const Cell& b) {
  if (!same_lane(a, b)) return 0;
  return 1 + (a.benchmark == b.benchmark ? 2 : 0) + (a.mode == b.mode ? 1 : 0);
}

}  // namespace

std::optional<double> expected_seconds(const Cell& cell, std::size_t items,
                                       std::span<const Pace> paces) {
  int best = 0;
  for (const Pace& pace : paces) best = std::max(best, likeness(cell, pace.cell));
  if (best == 0) return std::nullopt;
  double seconds = 0;
  std::size_t answers = 0;
  for (const Pace& pace : paces) {
    if (likeness(cell, pace.cell) != best) continue;
    seconds += pace.score_seconds;
    answers += pace.answers;
  }
  if (answers == 0) return std::nullopt;
  return seconds / static_cast<double>(answers) * static_cast<double>(items);
}

std::optional<double> expected_load(const Cell& cell, std::span<const Pace> paces) {
  std::optional<double> longest;
  for (const Pace& pace : paces)
    if (same_lane(cell, pace.cell)) longest = std::max(longest.value_or(0), pace.load_seconds);
  return longest;
}

}  // namespace tare::study
