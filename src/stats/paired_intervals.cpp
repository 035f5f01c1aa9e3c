#include "stats/paired_intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stats/distributions.h"

namespace tare::stats {
namespace {

/// How far the counts are from a true difference of `delta`, in standard errors.
double score_statistic(const PairedCounts& counts, double delta) {
  const auto n = static_cast<double>(counts.total());
  const auto won = static_cast<double>(counts.only_second),
             lost = static_cast<double>(counts.only_first);
  // The likeliest share of lost items, given the difference, solves A·q² + B·q + C = 0.
  const double a = 2 * n;
  const double b = (2 * n - won + lost) * delta - won - lost;
  const double c = -lost * delta * (1 - delta);
  const double share = (std::sqrt(std::max(b * b - 4 * a * c, 0.0)) - b) / (2 * a);
  const double variance = n * (2 * share + delta * (1 - delta));
  const double distance = won - lost - n * delta;
  if (variance <= 0) return std::copysign(std::numeric_limits<double>::infinity(), distance);
  return distance / std::sqrt(variance);
}

/// The difference between `low` and `high` at which the falling statistic is `wanted`.
double solve(const PairedCounts& counts, double wanted, double low, double high) {
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::midpoint(low, high);
    (score_statistic(counts, middle) > wanted ? low : high) = middle;
  }
  return std::midpoint(low, high);
}

/// The variance of κ times n; the four cells and margins as shares.
double kappa_variance(const PairedCounts& counts, double kappa) {
  const auto n = static_cast<double>(counts.total());
  const double both = static_cast<double>(counts.both_right) / n,
               lost = static_cast<double>(counts.only_first) / n,
               won = static_cast<double>(counts.only_second) / n,
               none = static_cast<double>(counts.both_wrong) / n;
  const double first = both + lost, second = both + won;
  const double chance = first * second + (1 - first) * (1 - second);
  const auto square = [](double x) { return x * x; };
  const double agreeing = both * square(1 - (first + second) * (1 - kappa)) +
                          none * square(1 - (2 - first - second) * (1 - kappa));
  // Of a cell: the share of its column among the first's verdicts and of its row among the other's.
  const double parting =
      square(1 - kappa) * (lost * square(second + 1 - first) + won * square(1 - second + first));
  const double rest = square(kappa - chance * (1 - kappa));
  return (agreeing + parting - rest) / square(1 - chance);
}

}  // namespace

Interval difference_interval(const PairedCounts& counts, double level) {
  const double z = normal_quantile((1 + level) / 2);
  const double found = *divergence(counts);
  return {solve(counts, z, -1, found), solve(counts, -z, found, 1)};
}

std::optional<Interval> kappa_interval(const PairedCounts& counts, double level) {
  const auto kappa = cohen_kappa(counts);
  if (!kappa) return std::nullopt;
  const double variance = kappa_variance(counts, *kappa);
  if (!(variance > 0) || std::isinf(variance)) return std::nullopt;
  const double half =
      normal_quantile((1 + level) / 2) * std::sqrt(variance / static_cast<double>(counts.total()));
  return Interval{std::max(*kappa - half, -1.0), std::min(*kappa + half, 1.0)};
}

std::optional<Interval> t_interval(const Estimated& estimated, std::size_t n, double level) {
  if (n <= 1) return std::nullopt;
  const double half = student_quantile((1 + level) / 2, n - 1) * estimated.error;
  return Interval{estimated.value - half, estimated.value + half};
}

std::optional<double> influence_stderr(std::span<const double> influences) {
  if (influences.size() <= 1) return std::nullopt;
  const auto n = static_cast<double>(influences.size());
  double squares = 0;
  for (const double influence : influences) squares += influence * influence;
  return std::sqrt(n / (n - 1) * squares);
}

std::optional<double> unpaired_p(const Estimated& first, const Estimated& second) {
  const double error = std::hypot(first.error, second.error);
  if (!(error > 0)) return std::nullopt;
  return two_sided_p((second.value - first.value) / error);
}

}  // namespace tare::stats
