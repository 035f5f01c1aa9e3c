#include "stats/repetitions.h"

#include <cmath>
#include <numeric>

namespace tare::stats {
namespace {

double mean_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace

bool majority(std::span<const double> verdicts) {
  const double right = std::accumulate(verdicts.begin(), verdicts.end(), 0.0);
  return 2 * right > static_cast<double>(verdicts.size());
}

std::optional<double> repetition_floor(std::span<const std::vector<double>> repetitions) {
  if (repetitions.size() < 2 || repetitions.front().empty()) return std::nullopt;
  double sum = 0;
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < repetitions.size(); ++a)
    for (std::size_t b = a + 1; b < repetitions.size(); ++b, ++pairs)
      sum += mean_distance(repetitions[a], repetitions[b]);
  if (std::isnan(sum)) return std::nullopt;
  return sum / static_cast<double>(pairs);
}

std::optional<double> unseen_rate(std::size_t n, double level) {
  if (n == 0) return std::nullopt;
  return 1 - std::pow(1 - level, 1 / static_cast<double>(n));
}

}  // namespace tare::stats
