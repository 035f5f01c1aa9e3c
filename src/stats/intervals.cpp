#include "stats/intervals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/python_random.h"
#include "stats/distributions.h"
#include "stats/estimates.h"

namespace tare::stats {
namespace {

/// What a cluster adds to a resample.
struct Part {
  double sum = 0;
  double size = 0;
};

bool usable(std::span<const double> x) {
  return !x.empty() && std::ranges::none_of(x, [](double value) { return std::isnan(value); });
}

std::map<std::size_t, Part> parts_of(std::span<const double> x,
                                     std::span<const std::size_t> cluster, double centre) {
  std::map<std::size_t, Part> parts;
  for (std::size_t i = 0; i < x.size(); ++i) {
    parts[cluster[i]].sum += x[i] - centre;
    parts[cluster[i]].size += 1;
  }
  return parts;
}

Interval percentiles(std::vector<double> means, double level) {
  std::ranges::sort(means);
  return {quantile(means, (1 - level) / 2), quantile(means, (1 + level) / 2)};
}

Part& operator+=(Part& sum, const Part& part) {
  sum.sum += part.sum;
  sum.size += part.size;
  return sum;
}

PairedCounts& operator+=(PairedCounts& sum, const PairedCounts& part) {
  sum.both_right += part.both_right;
  sum.only_first += part.only_first;
  sum.only_second += part.only_second;
  sum.both_wrong += part.both_wrong;
  return sum;
}

/// `statistic` of sums of parts that are drawn with replacement, as many as there are.
template <class Sum, class Statistic>
Interval resample(std::span<const Sum> parts, const BootstrapOptions& options,
                  const Statistic& statistic) {
  base::PythonRandom random(options.seed);
  std::vector<double> found;
  found.reserve(options.resamples);
  for (std::size_t i = 0; i < options.resamples; ++i) {
    Sum drawn;
    for (std::size_t k = 0; k < parts.size(); ++k) drawn += parts[random.below(parts.size())];
    found.push_back(statistic(drawn));
  }
  return percentiles(std::move(found), options.level);
}

Interval mean_interval(std::span<const Part> parts, const BootstrapOptions& options) {
  return resample<Part>(parts, options, [](const Part& drawn) { return drawn.sum / drawn.size; });
}

}  // namespace

Interval wilson(std::size_t successes, std::size_t n, double level) {
  const double z = normal_quantile((1 + level) / 2);
  const auto count = static_cast<double>(n);
  const double share = static_cast<double>(successes) / count;
  const double centre = share + z * z / (2 * count);
  const double half = z * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count));
  const double scale = 1 + z * z / count;
  return {(centre - half) / scale, (centre + half) / scale};
}

std::optional<Interval> bootstrap_interval(std::span<const double> x,
                                           const BootstrapOptions& options) {
  if (!usable(x) || options.resamples == 0) return std::nullopt;
  std::vector<Part> parts;
  for (const double value : x) parts.push_back({value, 1});
  return mean_interval(parts, options);
}

std::optional<Interval> cluster_bootstrap_interval(std::span<const double> x,
                                                   std::span<const std::size_t> cluster,
                                                   const BootstrapOptions& options) {
  if (!usable(x) || options.resamples == 0) return std::nullopt;
  std::vector<Part> parts;
  for (const auto& [key, part] : parts_of(x, cluster, 0)) parts.push_back(part);
  return mean_interval(parts, options);
}

std::optional<Interval> kappa_interval(std::span<const Verdicts> items,
                                       std::span<const std::size_t> cluster,
                                       const BootstrapOptions& options) {
  if (items.empty() || options.resamples == 0) return std::nullopt;
  std::map<std::size_t, PairedCounts> counts;
  for (std::size_t i = 0; i < items.size(); ++i)
    counts[cluster[i]] += count_pairs(items.subspan(i, 1));
  std::vector<PairedCounts> parts;
  for (const auto& [key, part] : counts) parts.push_back(part);
  return resample<PairedCounts>(parts, options,
                                [](const PairedCounts& drawn) { return *cohen_kappa(drawn); });
}

std::optional<double> clustered_stderr(std::span<const double> x,
                                       std::span<const std::size_t> cluster) {
  const auto plain = mean_stderr(x);
  if (!plain) return std::nullopt;
  const auto n = static_cast<double>(x.size());
  const double centre = mean(x);
  double covariance = 0;
  for (const auto& [key, part] : parts_of(x, cluster, centre)) covariance += part.sum * part.sum;
  for (const double value : x) covariance -= (value - centre) * (value - centre);
  const double variance = *plain * *plain + covariance / (n * n);
  if (!(variance >= 0)) return std::nullopt;
  return std::sqrt(variance);
}

std::optional<double> clustered_stderr_cr0(std::span<const double> x,
                                           std::span<const std::size_t> cluster) {
  if (x.empty()) return std::nullopt;
  double squares = 0;
  for (const auto& [key, part] : parts_of(x, cluster, mean(x))) squares += part.sum * part.sum;
  return std::sqrt(squares) / static_cast<double>(x.size());
}

double quantile(std::span<const double> sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(below);
  if (below + 1 == sorted.size()) return sorted[below];
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

}  // namespace tare::stats
