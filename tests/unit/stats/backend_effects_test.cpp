#include "stats/backend_effects.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tare::stats {
namespace {

TEST_CASE("calibrated values are 1 at the ideal") {
  CHECK(calibrate(0.7, Ideal::one) == 0.7);
  CHECK(calibrate(0, Ideal::zero) == 1);
  CHECK(calibrate(-0.25, Ideal::zero) == 0.75);
  CHECK(calibrate(0.5, Ideal::half) == 1);
  CHECK(calibrate(1, Ideal::half) == 0);
}

TEST_CASE("variance over backends, of all or of a sample") {
  const std::vector<double> scores{0.2, 0.4, 0.6};
  CHECK(*backend_variance(scores) == doctest::Approx(0.08 / 3));
  CHECK(*backend_variance(scores, 1) == doctest::Approx(0.04));
  CHECK_FALSE(backend_variance({}));
  CHECK_FALSE(backend_variance(std::vector<double>{0.5}, 1));
  CHECK_FALSE(backend_variance(std::vector<double>{0.5, NAN}));
}

TEST_CASE("the shares of the source's own numbers") {
  // Source 000, Table 3 as its text quotes it: 38.9 % structural; 20.0 % and 41.1 % are derived.
  const auto shares =
      variance_shares({.deterministic = 0.00074, .fix = 0.00112, .defaults = 0.0019});
  REQUIRE(shares);
  CHECK(shares->structural == doctest::Approx(0.389).epsilon(2e-3));
  CHECK(shares->sampling == doctest::Approx(0.200).epsilon(2e-3));
  CHECK(shares->defaults == doctest::Approx(0.411).epsilon(2e-3));
  CHECK(shares->structural + shares->sampling + shares->defaults == doctest::Approx(1));
  CHECK_FALSE(variance_shares({0.1, 0.1, 0}));
}

TEST_CASE("the nearest are joined first, and a cluster is as far away as its items on average") {
  const std::vector<std::vector<double>> points{{0, 0}, {10, 0}, {0, 1}, {10, 3}};
  const std::vector<Join> joins = cluster_by_average(points);
  REQUIRE(joins.size() == 3);
  CHECK(joins[0].first == 0);
  CHECK(joins[0].second == 2);
  CHECK(joins[0].distance == 1);
  CHECK(joins[1].first == 1);
  CHECK(joins[1].second == 3);
  CHECK(joins[2].first == 4);
  CHECK(joins[2].second == 5);
  CHECK(joins[2].size == 4);
  const double wanted = (10 + std::hypot(10, 3) + std::hypot(10, 1) + std::hypot(10, 2)) / 4;
  CHECK(joins[2].distance == doctest::Approx(wanted).epsilon(1e-14));
}

TEST_CASE("one item and none have nothing to join") {
  CHECK(cluster_by_average({}).empty());
  CHECK(cluster_by_average(std::vector<std::vector<double>>{{1, 2}}).empty());
}

}  // namespace
}  // namespace tare::stats
