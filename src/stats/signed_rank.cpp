#include "stats/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/distributions.h"

namespace tare::stats {
namespace {

/// Ranks of sizes from 1 on, equal ones sharing the mean of theirs.
struct Ranking {
  double positive = 0, negative = 0;  ///< sums of ranks, those of zeros left out
  std::size_t count = 0;              ///< ranked differences, zeros included
  std::size_t zeros = 0;              ///< among them
  double tied = 0;                    ///< Σ t³ − t over groups of t equal sizes, zeros left out
};

bool smaller(double a, double b) {
  return std::abs(a) < std::abs(b);
}

Ranking rank(std::vector<double> differences) {
  Ranking ranking{.count = differences.size()};
  std::ranges::sort(differences, smaller);
  for (std::size_t begin = 0, end = 0; begin < differences.size(); begin = end) {
    while (end < differences.size() && !smaller(differences[begin], differences[end])) ++end;
    const auto equal = static_cast<double>(end - begin);
    if (differences[begin] == 0) {
      ranking.zeros = end - begin;
      continue;
    }
    const double mean_rank = static_cast<double>(begin + end + 1) / 2;
    for (std::size_t i = begin; i < end; ++i)
      (differences[i] > 0 ? ranking.positive : ranking.negative) += mean_rank;
    ranking.tied += equal * (equal * equal - 1);
  }
  return ranking;
}

/// P(W ≤ w) of the sum of those of the ranks 1..n that a fair coin chooses.
double exact_cdf(double w, std::size_t n) {
  std::vector<double> ways(n * (n + 1) / 2 + 1, 0.0);
  ways[0] = 1;
  for (std::size_t r = 1; r <= n; ++r)
    for (std::size_t sum = ways.size(); sum-- > r;) ways[sum] += ways[sum - r];
  double below = 0;
  for (std::size_t sum = 0; sum <= static_cast<std::size_t>(w); ++sum) below += ways[sum];
  return std::ldexp(below, -static_cast<int>(n));
}

/// n(n+1)/4 and n(n+1)(2n+1)/24: mean and variance of the sum of ranks 1..n.
double mean_of(double n) {
  return n * (n + 1) / 4;
}
double variance_of(double n) {
  return n * (n + 1) * (2 * n + 1) / 24;
}

double approximate_z(const Ranking& ranking, double statistic, bool continuity) {
  const auto n = static_cast<double>(ranking.count);
  const auto zeros = static_cast<double>(ranking.zeros);
  const double mean = mean_of(n) - mean_of(zeros);
  const double variance = variance_of(n) - variance_of(zeros) - ranking.tied / 48;
  double above = statistic - mean;
  if (continuity && above != 0) above -= std::copysign(0.5, above);
  return above / std::sqrt(variance);
}

}  // namespace

std::optional<SignedRank> signed_rank_test(std::span<const double> differences,
                                           const SignedRankOptions& options) {
  if (differences.empty()) return std::nullopt;
  if (std::ranges::any_of(differences, [](double d) { return std::isnan(d); })) return std::nullopt;
  std::vector<double> ranked(differences.begin(), differences.end());
  if (options.zeros == Zeros::wilcox) std::erase(ranked, 0.0);
  SignedRank result;
  result.zeros = static_cast<std::size_t>(std::ranges::count(differences, 0.0));
  if (result.zeros == differences.size()) return result;
  const Ranking ranking = rank(std::move(ranked));
  result.statistic = std::min(ranking.positive, ranking.negative);
  if (result.zeros == 0 && ranking.tied == 0 && ranking.count <= options.exact_up_to) {
    result.p = std::min(1.0, 2 * exact_cdf(result.statistic, ranking.count));
    return result;
  }
  result.z = approximate_z(ranking, result.statistic, options.continuity);
  result.p = two_sided_p(*result.z);
  return result;
}

double effect_size_r(double z, std::size_t n) {
  return std::abs(z) / std::sqrt(static_cast<double>(n));
}

}  // namespace tare::stats
