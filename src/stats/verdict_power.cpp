#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "stats/distributions.h"
#include "stats/power.h"

namespace tare::stats {
namespace {

/// The exact test finds the splits of so many changed items in which at most so many of them go the
/// rarer way. -1: it finds none.
std::ptrdiff_t most_found(std::size_t changed, double alpha) {
  const auto found = [&](std::size_t few) { return 2 * fair_binomial_cdf(few, changed) < alpha; };
  if (changed == 0 || !found(0)) return -1;
  const auto all = static_cast<double>(changed);
  const double guess = (all + normal_quantile(alpha / 2) * std::sqrt(all)) / 2;
  auto few = static_cast<std::size_t>(std::max(guess, 0.0));
  while (!found(few)) --few;
  while (found(few + 1)) ++few;
  return static_cast<std::ptrdiff_t>(few);
}

/// What is asked again and again of one alpha.
class ExactTest {
 public:
  explicit ExactTest(double alpha) : alpha_(alpha) {}

  /// P that it finds a difference if each of `changed` items changes the right way with `right`.
  double power(std::size_t changed, double right) {
    const auto [known, is_new] = most_.try_emplace(changed, -1);
    if (is_new) known->second = most_found(changed, alpha_);
    if (known->second < 0) return 0;
    return binomial_cdf(static_cast<std::size_t>(known->second), changed, 1 - right);
  }

 private:
  double alpha_;
  std::map<std::size_t, std::ptrdiff_t> most_;
};

double power_of(ExactTest& test, double difference, double discordance, std::size_t n) {
  const double rate = std::clamp(std::max(difference, discordance), 0.0, 1.0);
  if (rate == 0) return 0;
  const double right = (1 + difference / rate) / 2;
  const double mean = static_cast<double>(n) * rate;
  // Beyond lies less than a millionth, of few items too.
  const double reach = 7 * std::sqrt(mean * (1 - rate)) + 10;
  const auto first = static_cast<std::size_t>(std::max(mean - reach, 0.0));
  const std::size_t last = std::min(n, static_cast<std::size_t>(mean + reach));
  // What the test finds goes up and down with every other item: an even step would see one of both.
  constexpr std::size_t kLooked = 200;
  const std::size_t step = ((last - first) / kLooked) | 1;
  double found = 0, all = 0;
  for (std::size_t changed = first; changed <= last; changed += step) {
    const double weight = binomial_pmf(changed, n, rate);
    all += weight;
    found += weight * test.power(changed, right);
  }
  return all > 0 ? found / all : 0;
}

}  // namespace

double verdict_power(double difference, double discordance, std::size_t n, double alpha) {
  ExactTest test(alpha);
  return power_of(test, difference, discordance, n);
}

std::optional<double> detectable_verdicts(double discordance, std::size_t n,
                                          const PowerOptions& options) {
  constexpr double kClose = 1e-6;
  ExactTest test(options.alpha);
  const auto found = [&](double difference) {
    return power_of(test, difference, discordance, n) >= options.power;
  };
  if (n == 0 || !found(1)) return std::nullopt;
  double low = 0, high = 1;
  while (high - low > kClose) {
    const double middle = (low + high) / 2;
    (found(middle) ? high : low) = middle;
  }
  return high;
}

std::size_t verdicts_needed(double difference, double discordance, const PowerOptions& options) {
  constexpr std::size_t kMost = 10'000'000;
  const std::size_t about =
      items_needed(difference, {.between_items = std::max(difference, discordance)}, options);
  if (about > kMost) return about;
  ExactTest test(options.alpha);
  const auto found = [&](std::size_t n) {
    return power_of(test, difference, discordance, n) >= options.power;
  };
  std::size_t low = 0, high = std::max<std::size_t>(about, 1);
  while (!found(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (found(middle) ? high : low) = middle;
  }
  return high;
}

std::optional<double> detectable_mean(double error, std::size_t n, const PowerOptions& options) {
  if (n <= 1) return std::nullopt;
  return (student_quantile(1 - options.alpha / 2, n - 1) + student_quantile(options.power, n - 1)) *
         error;
}

}  // namespace tare::stats
