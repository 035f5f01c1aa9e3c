#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tare::stats {

/// What becomes of differences that are zero.
enum class Zeros {
  pratt,   ///< they are ranked, then their ranks are dropped (Pratt 1959)
  wilcox,  ///< they are dropped before ranking (Wilcoxon 1945)
};

struct SignedRankOptions {
  Zeros zeros = Zeros::pratt;
  bool continuity = false;       ///< correction by 1/2 of the normal approximation
  std::size_t exact_up_to = 25;  ///< differences, if none is zero and no two are equal in size
};

struct SignedRank {
  double statistic = 0;     ///< the smaller one of the sums of positive and of negative ranks
  std::optional<double> z;  ///< ≤ 0, of the normal approximation corrected for ties; none if exact
  double p = 1;             ///< two-sided
  std::size_t zeros = 0;    ///< differences that are zero
};

/// Wilcoxon's signed-rank test of differences, as scipy.stats.wilcoxon computes it. p is 1 where
/// all differences are zero. nullopt for none, and where one is NaN.
std::optional<SignedRank> signed_rank_test(std::span<const double> differences,
                                           const SignedRankOptions& options = {});

/// |z|/√n of n pairs: the effect size r. (Rosenthal 1991; source 000 Table 7 by name.)
double effect_size_r(double z, std::size_t n);

}  // namespace tare::stats
