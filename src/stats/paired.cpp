#include "stats/paired.h"

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"

namespace tare::stats {
namespace {

double real(std::size_t count) {
  return static_cast<double>(count);
}

std::optional<double> ratio(double part, double whole) {
  if (whole == 0) return std::nullopt;
  return part / whole;
}

}  // namespace

PairedCounts count_pairs(std::span<const Verdicts> items) {
  PairedCounts counts;
  for (const Verdicts& item : items) {
    counts.both_right += item.first && item.second;
    counts.only_first += item.first && !item.second;
    counts.only_second += !item.first && item.second;
    counts.both_wrong += !item.first && !item.second;
  }
  return counts;
}

std::optional<double> divergence(const PairedCounts& counts) {
  return ratio(real(counts.only_second) - real(counts.only_first), real(counts.total()));
}

std::optional<double> disagreement(const PairedCounts& counts) {
  return ratio(real(counts.changed()), real(counts.total()));
}

bool is_severe(double divergence, double disagreement, double radius) {
  return std::hypot(divergence, disagreement) > radius;
}

double mcnemar_exact(const PairedCounts& counts) {
  const std::size_t n = counts.changed();
  if (n == 0) return 1;
  return std::min(1.0, 2 * fair_binomial_cdf(std::min(counts.only_first, counts.only_second), n));
}

double mcnemar_second_worse(const PairedCounts& counts) {
  const std::size_t n = counts.changed();
  if (n == 0) return 1;
  return fair_binomial_cdf(counts.only_second, n);  // of a fair coin: P(X ≥ n10) = P(X ≤ n01)
}

double mcnemar_mid_p(const PairedCounts& counts) {
  const std::size_t n = counts.changed();
  if (n == 0) return 1;
  const std::size_t k = std::min(counts.only_first, counts.only_second);
  return std::min(1.0, 2 * fair_binomial_cdf(k, n) - fair_binomial_pmf(k, n));
}

std::optional<ChiSquare> mcnemar_asymptotic(const PairedCounts& counts) {
  if (counts.changed() == 0) return std::nullopt;
  const double uneven = std::abs(real(counts.only_second) - real(counts.only_first)) - 1;
  const double statistic = uneven * uneven / real(counts.changed());
  return ChiSquare{statistic, chi_square_tail(statistic)};
}

std::optional<double> odds_ratio(const PairedCounts& counts) {
  return ratio(real(counts.only_second), real(counts.only_first));
}

std::optional<double> cohen_kappa(const PairedCounts& counts) {
  const double n = real(counts.total());
  if (n == 0) return std::nullopt;
  const double first = real(counts.both_right + counts.only_first) / n;
  const double second = real(counts.both_right + counts.only_second) / n;
  const double observed = real(counts.both_right + counts.both_wrong) / n;
  const double expected = first * second + (1 - first) * (1 - second);
  if (expected == 1) return 1;  // both give one and the same verdict on everything
  return (observed - expected) / (1 - expected);
}

std::optional<double> error_overlap(const PairedCounts& counts) {
  return ratio(real(counts.both_wrong), real(counts.total() - counts.both_right));
}

}  // namespace tare::stats
