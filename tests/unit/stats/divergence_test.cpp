#include "stats/divergence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tare {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("the divergence of two rows is that of their softmaxes") {
  // p = (1/2, 1/4, 1/4), q = (1/4, 1/2, 1/4), each with a constant on top.
  const std::vector<float> p{std::log(2.0F) + 7, 7, 7}, q{-3, std::log(2.0F) - 3, -3};
  const auto found = stats::row_divergence(p, q);
  REQUIRE(found);
  CHECK(found->divergence == doctest::Approx(0.25 * std::log(2.0)).epsilon(1e-6));
  CHECK_FALSE(found->same_top);
  CHECK_FALSE(found->equal);
  CHECK(*stats::log_probability(p, 0) == doctest::Approx(std::log(0.5)).epsilon(1e-6));
}

TEST_CASE("a row on itself diverges by nothing, and one bit is seen") {
  std::vector<float> row{1.25F, -3.5F, 80};
  const std::vector<float> same = row;
  CHECK(stats::row_divergence(row, same)->equal);
  CHECK(stats::row_divergence(row, same)->divergence == 0);
  row[1] = std::nextafter(row[1], 0.0F);
  CHECK_FALSE(stats::row_divergence(row, same)->equal);
  CHECK(stats::row_divergence(row, same)->same_top);
  CHECK(stats::row_divergence(row, same)->divergence >= 0);
}

TEST_CASE("minus zero is another bit than zero, and no other probability") {
  const std::vector<float> zero{0, 1}, minus{-0.0F, 1};
  CHECK_FALSE(stats::row_divergence(zero, minus)->equal);
  CHECK(stats::row_divergence(zero, minus)->divergence == 0);
}

TEST_CASE("a token that cannot come adds nothing, one that cannot come any more adds infinity") {
  const std::vector<float> with{0, -kInfinity}, without{0, 0};
  CHECK(stats::row_divergence(with, without)->divergence == doctest::Approx(std::log(2.0)));
  CHECK(stats::row_divergence(without, with)->divergence ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE("rows that are no numbers have no divergence") {
  const std::vector<float> fine{0, 1};
  for (const std::vector<float>& bad :
       {std::vector<float>{0, kNan}, std::vector<float>{kNan, 0}, std::vector<float>{kInfinity, 0},
        std::vector<float>{-kInfinity, -kInfinity}}) {
    CHECK_FALSE(stats::row_divergence(fine, bad));
    CHECK_FALSE(stats::row_divergence(bad, fine));
    CHECK_FALSE(stats::row_divergence(bad, bad));
    CHECK_FALSE(stats::log_probability(bad, 0));
  }
}

}  // namespace tare
