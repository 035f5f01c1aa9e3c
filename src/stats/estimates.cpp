#include "stats/estimates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tare::stats {
namespace {

/// x ** 2 as CPython computes it, by the C library's pow. The exponent is hidden from the compiler,
/// which would fold the call into x·x, and that differs from pow in the last bit for some x.
double square(double x) {
  static const volatile double two = 2.0;
  return std::pow(x, two);
}

}  // namespace

double mean(std::span<const double> x) {
  double sum = 0;
  for (double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

double nan_mean(std::span<const double> x) {
  double sum = 0;
  std::size_t count = 0;
  for (double value : x) {
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  if (count == 0) return std::numeric_limits<double>::quiet_NaN();
  return sum / static_cast<double>(count);
}

double median(std::span<const double> x) {
  std::vector<double> sorted(x.begin(), x.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  const auto nan_last = [](double a, double b) {
    return a < b || (std::isnan(b) && !std::isnan(a));
  };
  std::nth_element(sorted.begin(), middle, sorted.end(), nan_last);
  return *middle;
}

double perplexity(std::span<const double> log_likelihoods) {
  return std::exp(-mean(log_likelihoods));
}

double weighted_mean(std::span<const Weighted> items) {
  double sum = 0, weights = 0;
  for (const Weighted& item : items) {
    sum += item.value;
    weights += item.weight;
  }
  return sum / weights;
}

double weighted_perplexity(std::span<const Weighted> log_likelihoods) {
  return std::exp(-weighted_mean(log_likelihoods));
}

double bits_per_byte(std::span<const Weighted> log_likelihoods) {
  return -weighted_mean(log_likelihoods) / std::log(2.0);
}

std::optional<double> sample_stddev(std::span<const double> x) {
  if (x.size() <= 1) return std::nullopt;
  const double mu = mean(x);
  double squares = 0;
  for (double value : x) squares += square(value - mu);
  return std::sqrt(squares / static_cast<double>(x.size() - 1));
}

std::optional<double> mean_stderr(std::span<const double> x) {
  const auto deviation = sample_stddev(x);
  if (!deviation) return std::nullopt;
  return *deviation / std::sqrt(static_cast<double>(x.size()));
}

}  // namespace tare::stats
