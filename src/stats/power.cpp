#include "stats/power.h"

#include <cmath>
#include <limits>

#include "stats/distributions.h"

namespace tare::stats {
namespace {

double reach(const PowerOptions& options) {
  return normal_quantile(1 - options.alpha / 2) + normal_quantile(options.power);
}

}  // namespace

std::optional<double> detectable_difference(double variance, std::size_t n,
                                            const PowerOptions& options) {
  if (n == 0) return std::nullopt;
  return reach(options) * std::sqrt(variance / static_cast<double>(n));
}

std::size_t items_needed(double delta, const ScoreVariance& variance, const PowerOptions& options) {
  const double total = variance.between_items +
                       variance.first / static_cast<double>(variance.first_answers) +
                       variance.second / static_cast<double>(variance.second_answers);
  const double ratio = reach(options) / delta;
  const double items = std::ceil(ratio * ratio * total);
  constexpr double kExact = 9007199254740992;  // 2⁵³
  return items <= kExact ? static_cast<std::size_t>(items)
                         : std::numeric_limits<std::size_t>::max();
}

}  // namespace tare::stats
