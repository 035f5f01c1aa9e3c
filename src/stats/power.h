#pragma once

#include <cstddef>
#include <optional>

/// What a comparison could have seen, or how many items it takes to see something.
namespace tare::stats {

struct PowerOptions {
  double alpha = 0.05;  ///< two-sided
  double power = 0.8;
};

/// (z_{α/2} + z_β)·√(variance/n): the least mean of n paired differences of this variance that is
/// found with the wanted power. For verdicts the variance is about D, their disagreement. nullopt
/// for n = 0. (Miller 2024, arXiv 2411.00640.)
std::optional<double> detectable_difference(double variance, std::size_t n,
                                            const PowerOptions& options = {});

/// What the differences of two systems' scores vary by. (Miller 2024.)
struct ScoreVariance {
  double between_items = 0;      ///< ω² of the items' mean differences
  double first = 0, second = 0;  ///< σ² of an item's repeated answers, each system
  std::size_t first_answers = 1, second_answers = 1;  ///< answers to each item
};

/// The number of items that finds a difference `delta` ≠ 0:
/// (z_{α/2} + z_β)²·(ω² + σ_A²/K_A + σ_B²/K_B)/δ², rounded up.
std::size_t items_needed(double delta, const ScoreVariance& variance,
                         const PowerOptions& options = {});

}  // namespace tare::stats
