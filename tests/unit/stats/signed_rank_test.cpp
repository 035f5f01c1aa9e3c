#include "stats/signed_rank.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tare::stats {
namespace {

const std::vector<double> kWithZeros{.5, -.1, .3, 0, .2, -.4, .6, .1, 0, .7, -.2, .3};

struct Expected {
  SignedRankOptions options;
  double statistic, z, p;
};

TEST_CASE("the normal approximation is scipy 1.17's") {
  const std::vector<Expected> cases{
      {{.zeros = Zeros::wilcox}, 12, -1.5829931, 0.1134230},
      {{.zeros = Zeros::pratt}, 18, -1.5374122, 0.1241924},
      {{.zeros = Zeros::pratt, .continuity = true}, 18, -1.4979914, 0.1341355},
  };
  for (const Expected& expected : cases) {
    const auto found = signed_rank_test(kWithZeros, expected.options);
    REQUIRE(found);
    CHECK(found->statistic == expected.statistic);
    CHECK(found->zeros == 2);
    REQUIRE(found->z);
    CHECK(std::abs(*found->z - expected.z) < 5e-8);
    CHECK(std::abs(found->p - expected.p) < 5e-8);
  }
}

TEST_CASE("few different sizes without zeros are tested exactly") {
  const std::vector<double> d{.5, -.1, .3, .25, -.4, .6, .15, .7, -.2, .35};
  const auto found = signed_rank_test(d);
  REQUIRE(found);
  CHECK_FALSE(found->z);
  CHECK(found->statistic == 11);
  CHECK(found->p == 0.10546875);
  CHECK(signed_rank_test(d, {.exact_up_to = 9})->z);
  CHECK(signed_rank_test(std::vector<double>{2})->p == 1);
}

TEST_CASE("what there is nothing to test in") {
  CHECK_FALSE(signed_rank_test({}));
  CHECK_FALSE(signed_rank_test(std::vector<double>{1, NAN}));
  const auto zeros = signed_rank_test(std::vector<double>{0, 0, -0.0});
  REQUIRE(zeros);
  CHECK(zeros->p == 1);
  CHECK_FALSE(zeros->z);
  CHECK(zeros->zeros == 3);
}

TEST_CASE("the effect size is |z| over the root of the pairs") {
  CHECK(effect_size_r(-2, 16) == 0.5);
}

}  // namespace
}  // namespace tare::stats
