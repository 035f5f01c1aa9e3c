#include "floor/divergences.h"

#include <algorithm>
#include <cmath>

#include "stats/estimates.h"
#include "stats/intervals.h"

namespace tare::floor {
namespace {

/// Counts kept as sums over all windows.
struct Counts {
  std::vector<double> divergences, changes;
  std::size_t same_top = 0, equal = 0;
  Histogram histogram;

  void add(const WindowRows& setting, const WindowRows& reference) {
    for (std::size_t i = 0; i < setting.divergence.size(); ++i) {
      divergences.push_back(setting.divergence[i]);
      histogram.add(setting.divergence[i]);
      // Where both say that the token cannot come, nothing has changed.
      const bool same = setting.truth[i] == reference.truth[i];
      changes.push_back(same ? 0 : std::abs(setting.truth[i] - reference.truth[i]));
      same_top += setting.same_top[i] ? 1 : 0;
      equal += setting.equal[i] ? 1 : 0;
    }
  }
};

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Histogram::add(double divergence) {
  if (!(divergence > 0)) {
    ++zero;
    return;
  }
  const double bin = (std::log10(divergence) - kLowestDecade) * kPerDecade;
  const double inside = std::clamp(std::floor(bin), 0.0, static_cast<double>(kBins - 1));
  ++counts[static_cast<std::size_t>(inside)];
}

std::optional<Divergences> summarize(std::span<const WindowRows* const> setting,
                                     std::span<const WindowRows* const> reference) {
  Counts counts;
  for (std::size_t i = 0; i < setting.size(); ++i) counts.add(*setting[i], *reference[i]);
  const std::size_t positions = counts.divergences.size();
  if (positions == 0) return std::nullopt;
  Divergences result{.positions = positions, .mean = stats::mean(counts.divergences)};
  std::ranges::sort(counts.divergences);
  result.median = stats::quantile(counts.divergences, 0.5);
  result.p99 = stats::quantile(counts.divergences, 0.99);
  result.most = counts.divergences.back();
  result.mean_change = stats::mean(counts.changes);
  result.most_change = *std::ranges::max_element(counts.changes);
  result.same_top = share(counts.same_top, positions);
  result.equal = share(counts.equal, positions);
  result.histogram = counts.histogram;
  return result;
}

std::optional<double> mean_loss(std::span<const WindowRows* const> windows) {
  double sum = 0;
  std::size_t positions = 0;
  for (const WindowRows* window : windows) {
    for (const double truth : window->truth) sum -= truth;
    positions += window->truth.size();
  }
  if (positions == 0) return std::nullopt;
  return sum / static_cast<double>(positions);
}

}  // namespace tare::floor
