#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// Several answers to each item, and what can be said of answers that never change.
namespace tare::stats {

/// The verdict (1 or 0) of more than half of an item's answers; a tie is wrong. n ≥ 1. (Ours:
/// source 000 asks five times and does not tell which verdict counts.)
bool majority(std::span<const double> verdicts);

/// Mean over all pairs of repetitions of the mean |x_i − y_i| over items: of verdicts, the share
/// that changes when nothing does but the draw. nullopt for fewer than two repetitions, no items,
/// and where a value is NaN. Repetitions have equal lengths. (Ours.)
std::optional<double> repetition_floor(std::span<const std::vector<double>> repetitions);

/// The greatest rate of an event that n independent items without it do not rule out at this
/// level: 1 − (1 − level)^(1/n). nullopt for n = 0. (Clopper & Pearson 1934, upper limit for no
/// successes, one-sided; the "rule of three".)
std::optional<double> unseen_rate(std::size_t n, double level = 0.95);

}  // namespace tare::stats
