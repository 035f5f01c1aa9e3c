#include "stats/intervals.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "stats/distributions.h"
#include "stats/estimates.h"
#include "stats/multiplicity.h"
#include "stats/power.h"

namespace tare::stats {
namespace {

const std::vector<double> kX{1, 1, 0, 0, 1, 0, 1, 1, 1, 0};
const std::vector<std::size_t> kClusters{0, 0, 0, 1, 1, 1, 2, 2, 2, 2};

TEST_CASE("standard errors have the values that were computed by hand") {
  CHECK(std::abs(*mean_stderr(kX) - 0.1632993) < 5e-8);
  CHECK(std::abs(*clustered_stderr(kX, kClusters) - 0.1143095) < 5e-8);
  CHECK(std::abs(*clustered_stderr_cr0(kX, kClusters) - 0.1019804) < 5e-8);
}

TEST_CASE("clusters of one item change nothing") {
  std::vector<std::size_t> own(kX.size());
  std::iota(own.begin(), own.end(), std::size_t{0});
  CHECK(*clustered_stderr(kX, own) == doctest::Approx(*mean_stderr(kX)).epsilon(1e-14));
}

TEST_CASE("Wilson's interval of 700 of 1000, and of none and all") {
  const Interval found = wilson(700, 1000);
  CHECK(std::abs(found.low - 0.6708761) < 5e-8);
  CHECK(std::abs(found.high - 0.7275932) < 5e-8);
  CHECK(wilson(0, 20).low == doctest::Approx(0));
  CHECK(wilson(20, 20).high == doctest::Approx(1));
}

TEST_CASE("quantiles between order statistics") {
  const std::vector<double> sorted{1, 2, 4, 8};
  CHECK(quantile(sorted, 0) == 1);
  CHECK(quantile(sorted, 0.5) == 3);
  CHECK(quantile(sorted, 0.9) == doctest::Approx(6.8));
  CHECK(quantile(sorted, 1) == 8);
  CHECK(quantile(std::vector<double>{5}, 0.3) == 5);
}

/// How often the interval holds the true mean 0.3, in 400 draws of 20 clusters of 5.
double coverage(bool clustered) {
  std::mt19937 random(7);
  std::size_t held = 0;
  for (int draw = 0; draw < 400; ++draw) {
    std::vector<double> x;
    std::vector<std::size_t> cluster;
    for (std::size_t c = 0; c < 20; ++c) {
      const double value = random() % 10 < 3 ? 1 : 0;  // all items of a cluster are alike
      for (int i = 0; i < 5; ++i) {
        x.push_back(value);
        cluster.push_back(c);
      }
    }
    const BootstrapOptions options{.resamples = 400, .seed = draw};
    const auto interval = clustered ? cluster_bootstrap_interval(x, cluster, options)
                                    : bootstrap_interval(x, options);
    held += interval->low <= 0.3 && 0.3 <= interval->high;
  }
  return static_cast<double>(held) / 400;
}

TEST_CASE("where items depend on each other only the interval of clusters holds what it says") {
  CHECK(coverage(true) > 0.87);  // 20 clusters are few: somewhat below the nominal 0.95
  CHECK(coverage(true) < 0.98);
  CHECK(coverage(false) < 0.75);
}

TEST_CASE("an interval of nothing or of what is no number is not defined") {
  CHECK_FALSE(bootstrap_interval({}));
  CHECK_FALSE(bootstrap_interval(std::vector<double>{1, NAN}));
  const auto constant = bootstrap_interval(std::vector<double>{2, 2, 2});
  REQUIRE(constant);
  CHECK(constant->low == 2);
  CHECK(constant->high == 2);
}

/// Items of which so many were right on both sides, on one, on none, each a cluster of its own.
std::optional<Interval> kappa_of(const PairedCounts& counts, const BootstrapOptions& options = {}) {
  std::vector<Verdicts> items;
  items.insert(items.end(), counts.both_right, {true, true});
  items.insert(items.end(), counts.only_first, {true, false});
  items.insert(items.end(), counts.only_second, {false, true});
  items.insert(items.end(), counts.both_wrong, {false, false});
  std::vector<std::size_t> cluster(items.size());
  std::iota(cluster.begin(), cluster.end(), std::size_t{0});
  return kappa_interval(items, cluster, options);
}

TEST_CASE("the interval of kappa is as wide as its standard error says") {
  // κ = 0.6938776 of these counts; √(p_o(1 − p_o)/(n(1 − p_e)²)) = 0.0729 (Cohen 1960).
  const auto interval = kappa_of({50, 10, 5, 35});
  REQUIRE(interval);
  CHECK(interval->low < 0.6938776);
  CHECK(interval->high > 0.6938776);
  CHECK(interval->high - interval->low == doctest::Approx(2 * 1.96 * 0.0729).epsilon(0.06));
}

TEST_CASE("the interval of kappa is a point where all resamples agree, and none of nothing") {
  const auto same = kappa_of({7, 0, 0, 3}, {.resamples = 50});
  CHECK(same->low == 1);
  CHECK(same->high == 1);
  CHECK_FALSE(kappa_of({}));
  CHECK_FALSE(kappa_of({1, 1, 1, 1}, {.resamples = 0}));
}

TEST_CASE("whole clusters are drawn for kappa too") {
  // Two clusters: in one all verdicts agree, in the other none does. Half of the resamples are
  // mixed.
  const std::vector<Verdicts> items{{true, true}, {false, false}, {true, false}, {false, true}};
  const std::vector<std::size_t> cluster{0, 0, 1, 1};
  const auto interval = kappa_interval(items, cluster, {.resamples = 200});
  CHECK(interval->low == -1);
  CHECK(interval->high == 1);
}

TEST_CASE("adjusted p-values have the values that were computed by hand") {
  const std::vector<double> p{0.01, 0.04, 0.03};
  CHECK(holm(p) == std::vector<double>{0.03, 0.06, 0.06});
  const std::vector<double> bh = benjamini_hochberg(p);
  CHECK(bh[0] == doctest::Approx(0.03));
  CHECK(bh[1] == doctest::Approx(0.04));
  CHECK(bh[2] == doctest::Approx(0.04));
}

TEST_CASE("a test that could not be made is no member of the family") {
  const std::vector<double> adjusted = holm(std::vector<double>{0.01, NAN, 0.5});
  CHECK(adjusted[0] == 0.02);
  CHECK(std::isnan(adjusted[1]));
  CHECK(adjusted[2] == 0.5);
  CHECK(holm({}).empty());
}

TEST_CASE("what could have been seen, and how many items it takes") {
  // (1.959964 + 0.841621)·√(0.1/1000)
  CHECK(*detectable_difference(0.1, 1000) == doctest::Approx(0.02801585).epsilon(1e-6));
  CHECK_FALSE(detectable_difference(0.1, 0));
  const std::size_t n = items_needed(0.03, {.between_items = 0.1});
  CHECK(*detectable_difference(0.1, n) <= 0.03);
  CHECK(*detectable_difference(0.1, n - 1) > 0.03);
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  CHECK(items_needed(1e-7, {.between_items = 0.1}) > 1'000'000'000'000);
  CHECK(items_needed(1e-12, {.between_items = 0.1}) == kMost);
  CHECK(items_needed(1e-200, {.between_items = 0.1}) == kMost);
  CHECK(verdicts_needed(1e-200, 0.1) == kMost);
}

// By scipy 1.17.1: binom.pmf over the changed items, binom.cdf over the splits that are found.
TEST_CASE("of verdicts the least difference is one that the exact test finds") {
  const auto least = [](double discordance, std::size_t n, double alpha = 0.05) {
    return detectable_verdicts(discordance, n, {.alpha = alpha}).value();
  };
  CHECK(least(0.1, 320) == doctest::Approx(0.0513029).epsilon(1e-4));
  CHECK(least(0.1825, 400) == doctest::Approx(0.0614491).epsilon(1e-4));
  CHECK(least(0.1825, 400, 0.025) == doctest::Approx(0.0670500).epsilon(1e-4));
  CHECK(least(0.1, 20) == doctest::Approx(0.3664598).epsilon(1e-4));
  CHECK(least(0.25, 8) == doctest::Approx(0.8014040).epsilon(1e-4));
  CHECK(least(0.25, 8, 0.0125) == doctest::Approx(0.9724932).epsilon(1e-4));
  CHECK(least(0, 6) == doctest::Approx(0.9634933).epsilon(1e-4));
  CHECK(least(1, 12) == doctest::Approx(0.7385693).epsilon(1e-4));
  CHECK_FALSE(detectable_verdicts(0.5, 5));
  CHECK_FALSE(detectable_verdicts(0.5, 0));
}

TEST_CASE("the power of the exact test is what its definition sums up") {
  // 2·0.5⁶ < 0.05 ≤ 2·0.5⁵: of eight items that change one way at most, six, seven or eight.
  const double d = 0.75;
  double found = 0;
  for (std::size_t changed = 6; changed <= 8; ++changed) found += binomial_pmf(changed, 8, d);
  CHECK(verdict_power(d, 0.1, 8, 0.05) == doctest::Approx(found).epsilon(1e-12));
  CHECK(verdict_power(0, 0, 8, 0.05) == 0);
  // The normal formula is about right of many items, and a little too hopeful.
  const double normal = detectable_difference(0.1, 20000).value();
  CHECK(detectable_verdicts(0.1, 20000).value() == doctest::Approx(normal).epsilon(0.01));
  CHECK(detectable_verdicts(0.1, 20000).value() > normal);
}

TEST_CASE("so many verdicts find the difference, and fewer do not") {
  for (const double difference : {0.5, 0.05, 0.01}) {
    CAPTURE(difference);
    const std::size_t n = verdicts_needed(difference, 0.1);
    CHECK(verdict_power(difference, 0.1, n, 0.05) >= 0.8);
    CHECK(verdict_power(difference, 0.1, n - 1, 0.05) < 0.8);
  }
  CHECK(verdicts_needed(1e-6, 0.1) == items_needed(1e-6, {.between_items = 0.1}));
}

// scipy 1.17.1: stats.t.ppf(0.975, 5) + stats.t.ppf(0.8, 5) = 2.570582 + 0.919544.
TEST_CASE("of a mean of few items the least difference has Student's quantiles") {
  CHECK(detectable_mean(1, 6).value() == doctest::Approx(3.490126).epsilon(1e-6));
  CHECK(detectable_mean(0.5, 1'000'000).value() == doctest::Approx(1.400793).epsilon(1e-5));
  CHECK_FALSE(detectable_mean(1, 1));
}

}  // namespace
}  // namespace tare::stats
