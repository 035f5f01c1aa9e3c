#include "stats/divergence.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tare::stats {
namespace {

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::size_t top(std::span<const float> x) {
  return static_cast<std::size_t>(std::ranges::max_element(x) - x.begin());
}

double kl(std::span<const float> reference, double p_sum, std::span<const float> other,
          double q_sum) {
  double sum = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double log_p = static_cast<double>(reference[i]) - p_sum;
    const double p = std::exp(log_p);
    if (p > 0) sum += p * (log_p - (static_cast<double>(other[i]) - q_sum));
  }
  return std::max(sum, 0.0);
}

}  // namespace

double log_sum_exp(std::span<const float> x) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const float one : x) most = std::max(most, static_cast<double>(one));
  // −∞ − −∞ and ∞ − ∞ are NaN, and NaN in x reaches the sum.
  for (const float one : x) sum += std::exp(static_cast<double>(one) - most);
  return most + std::log(sum);
}

std::optional<double> log_probability(std::span<const float> logits, std::size_t place) {
  const double sum = log_sum_exp(logits);
  if (std::isnan(sum)) return std::nullopt;
  return static_cast<double>(logits[place]) - sum;
}

std::optional<RowDivergence> row_divergence(std::span<const float> reference,
                                            std::span<const float> other) {
  const double p_sum = log_sum_exp(reference);
  if (std::isnan(p_sum)) return std::nullopt;
  if (same_bits(reference, other)) return RowDivergence{};
  const double q_sum = log_sum_exp(other);
  if (std::isnan(q_sum)) return std::nullopt;
  return RowDivergence{.divergence = kl(reference, p_sum, other, q_sum),
                       .same_top = top(reference) == top(other),
                       .equal = false};
}

}  // namespace tare::stats
