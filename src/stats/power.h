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

/// P that McNemar's exact test finds (p < alpha, and the right way) that two systems' shares of
/// right verdicts on the same n items differ by `difference`. Each item's verdict changes with the
/// rate `discordance`, or `difference` where that is more, since so many have to change. Summed
/// over the numbers of changed items; of thousands of them every so many-th is looked at. (Duffy
/// 1984.)
double verdict_power(double difference, double discordance, std::size_t n, double alpha);

/// The least `difference` with the wanted verdict_power, at most 1, to 10⁻⁶. nullopt where there is
/// none: of n items not even a change of all is found, as of fewer than 6 at alpha 0.05.
std::optional<double> detectable_verdicts(double discordance, std::size_t n,
                                          const PowerOptions& options = {});

/// The number of items with which `difference` > 0 has the wanted verdict_power; above ten million,
/// where the two are equal to 1 in 1000, items_needed's.
std::size_t verdicts_needed(double difference, double discordance,
                            const PowerOptions& options = {});

/// (t_{1−α/2} + t_{1−β})·error with n − 1 degrees of freedom: the least mean of n paired
/// differences that is found with the wanted power, `error` its standard error. nullopt for n ≤ 1.
/// (Cohen 1988, with Student's quantiles for few items.)
std::optional<double> detectable_mean(double error, std::size_t n,
                                      const PowerOptions& options = {});

/// What the differences of two systems' scores vary by. (Miller 2024.)
struct ScoreVariance {
  double between_items = 0;      ///< ω² of the items' mean differences
  double first = 0, second = 0;  ///< σ² of an item's repeated answers, each system
  std::size_t first_answers = 1, second_answers = 1;  ///< answers to each item
};

/// The number of items that finds a difference `delta` ≠ 0:
/// (z_{α/2} + z_β)²·(ω² + σ_A²/K_A + σ_B²/K_B)/δ², rounded up; the greatest std::size_t where that
/// is more than 2⁵³.
std::size_t items_needed(double delta, const ScoreVariance& variance,
                         const PowerOptions& options = {});

}  // namespace tare::stats
