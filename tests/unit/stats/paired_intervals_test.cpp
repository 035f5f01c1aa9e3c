#include "stats/paired_intervals.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "stats/estimates.h"

namespace tare::stats {
namespace {

PairedCounts split(std::size_t won, std::size_t lost, std::size_t n) {
  return {.both_right = n - won - lost, .only_first = lost, .only_second = won, .both_wrong = 0};
}

void check_interval(const Interval& found, double low, double high, double within = 5e-8) {
  CHECK(std::abs(found.low - low) < within);
  CHECK(std::abs(found.high - high) < within);
}

// Roots by scipy.optimize.brentq of the score statistic, its restricted maximum by
// scipy.optimize.minimize_scalar of the likelihood itself: scipy 1.17.1.
TEST_CASE("the score interval is where the likelihood says it is") {
  check_interval(difference_interval(split(27, 46, 400)), -0.0902824343, -0.0057636797);
  check_interval(difference_interval(split(1, 0, 44)), -0.0593932311, 0.1180770970);
  check_interval(difference_interval(split(3, 9, 60)), -0.2223789311, 0.0149501043);
  check_interval(difference_interval(split(59, 46, 1000)), -0.0071953826, 0.0335057646);
  check_interval(difference_interval(split(0, 10, 40)), -0.4019396142, -0.1404729992);
}

TEST_CASE("without a change the score interval is z²/(n + z²) to each side") {
  const double z = 1.959963984540054;
  const double side = z * z / (50 + z * z);
  check_interval(difference_interval(split(0, 0, 50)), -side, side, 1e-12);
}

TEST_CASE("the score interval turns with the sides and holds at the ends") {
  const Interval one = difference_interval(split(7, 2, 30)),
                 other = difference_interval(split(2, 7, 30));
  check_interval(one, -other.high, -other.low, 1e-12);
  const Interval all = difference_interval(split(5, 0, 5));
  CHECK(all.low > 0);
  CHECK(all.high == doctest::Approx(1));
  const Interval wide = difference_interval(split(7, 2, 30), 0.99);
  CHECK(wide.low < one.low);
  CHECK(wide.high > one.high);
}

// statsmodels 0.14, stats.inter_rater.cohens_kappa.
TEST_CASE("kappa's interval is that of statsmodels, cut at its ends") {
  check_interval(*kappa_interval({50, 10, 5, 35}), 0.5519378993, 0.8358172028, 1e-8);
  check_interval(*kappa_interval({300, 46, 27, 27}), 0.1995299098, 0.4396722545, 1e-8);
  check_interval(*kappa_interval({5, 1, 0, 30}), 0.6869900621, 1, 1e-8);
  check_interval(*kappa_interval({1, 9, 8, 2}), -1, -0.3885876882, 1e-8);
}

TEST_CASE("kappa has no interval in complete agreement and for nothing") {
  CHECK_FALSE(kappa_interval({.both_right = 5, .both_wrong = 5}));
  CHECK_FALSE(kappa_interval({.both_right = 5}));
  CHECK_FALSE(kappa_interval({}));
}

TEST_CASE("an interval by Student's distribution has scipy's quantiles") {
  check_interval(*t_interval({1, 1}, 2), 1 - 12.70620474, 1 + 12.70620474);
  check_interval(*t_interval({0, 2}, 5), -2 * 2.77644511, 2 * 2.77644511);
  CHECK_FALSE(t_interval({1, 1}, 1));
}

TEST_CASE("influences on a mean give its standard error") {
  const std::vector<double> x{1, 4, 4, 9.5, -2};
  std::vector<double> influences;
  for (const double value : x) influences.push_back((value - mean(x)) / 5);
  CHECK(influence_stderr(influences).value() == doctest::Approx(mean_stderr(x).value()));
  CHECK_FALSE(influence_stderr(std::vector<double>{1}));
}

TEST_CASE("the unpaired test is lm-eval's") {
  // z = 0.05/0.025 = 2
  CHECK(unpaired_p({0.5, 0.015}, {0.55, 0.02}).value() == doctest::Approx(0.0455002639));
  CHECK_FALSE(unpaired_p({0.5, 0}, {1, 0}));
}

}  // namespace
}  // namespace tare::stats
