#include "stats/multiplicity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tare::stats {
namespace {

/// Positions of the p-values that are numbers, the least first.
std::vector<std::size_t> ascending(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i])) order.push_back(i);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  std::vector<double> adjusted(p.begin(), p.end());
  const std::vector<std::size_t> order = ascending(p);
  double least = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    least = std::max(least, std::min(1.0, static_cast<double>(order.size() - k) * p[order[k]]));
    adjusted[order[k]] = least;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<double> adjusted(p.begin(), p.end());
  const std::vector<std::size_t> order = ascending(p);
  const auto n = static_cast<double>(order.size());
  double most = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    most = std::min(most, n / static_cast<double>(k + 1) * p[order[k]]);
    adjusted[order[k]] = most;
  }
  return adjusted;
}

}  // namespace tare::stats
