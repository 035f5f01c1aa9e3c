#include "stats/paired.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stats/permutation.h"

namespace tare::stats {
namespace {

doctest::Approx near(double value, double tolerance = 5e-8) {
  return doctest::Approx(value).epsilon(tolerance);
}

std::vector<Verdicts> some_verdicts(std::mt19937& random, std::size_t n) {
  std::vector<Verdicts> items(n);
  for (Verdicts& item : items) item = {random() % 3 != 0, random() % 3 != 0};
  return items;
}

TEST_CASE("McNemar's exact test has the values that were computed by hand") {
  CHECK(mcnemar_exact({.only_first = 46, .only_second = 27}) == near(0.0344159, 1e-6));
  CHECK(mcnemar_exact({.only_first = 46, .only_second = 59}) == near(0.2414317, 1e-6));
  CHECK(mcnemar_exact({.only_first = 10}) == near(0.0019531, 1e-4));
  CHECK(mcnemar_exact({.only_first = 10}) == 2 * std::pow(0.5, 10));
  CHECK(mcnemar_exact({.only_first = 5, .only_second = 5}) == 1);
  CHECK(mcnemar_exact({.both_right = 7, .both_wrong = 3}) == 1);
}

TEST_CASE("the one-sided test asks whether the second is worse") {
  CHECK(mcnemar_second_worse({.only_first = 10}) == std::pow(0.5, 10));
  CHECK(mcnemar_second_worse({.only_second = 10}) == 1);
  CHECK(mcnemar_second_worse({}) == 1);
}

TEST_CASE("the mid-p value takes half of the observed split") {
  // n = 3, k = 1: 2·(1 + 3)/8 − 3/8
  CHECK(mcnemar_mid_p({.only_first = 2, .only_second = 1}) == near(0.625, 1e-14));
  CHECK(mcnemar_mid_p({.only_first = 4, .only_second = 4}) == 1);
}

TEST_CASE("the asymptotic test is not defined where nothing changed") {
  CHECK_FALSE(mcnemar_asymptotic({.both_right = 4}));
  const auto found = mcnemar_asymptotic({.only_first = 46, .only_second = 27});
  REQUIRE(found);
  CHECK(found->statistic == near(18.0 * 18.0 / 73, 1e-14));
}

TEST_CASE("kappa has the value that was computed by hand, and 1 where all verdicts are one") {
  CHECK(cohen_kappa({50, 10, 5, 35}).value() == near(0.6938776, 1e-6));
  CHECK(cohen_kappa({.both_right = 9}).value() == 1);
  CHECK(cohen_kappa({.only_first = 9}).value() == 0);
  CHECK_FALSE(cohen_kappa({}));
}

TEST_CASE("what has no denominator is not defined") {
  CHECK_FALSE(divergence({}));
  CHECK_FALSE(disagreement({}));
  CHECK_FALSE(odds_ratio({.only_second = 3}));
  CHECK_FALSE(error_overlap({.both_right = 3}));
  CHECK(error_overlap({.both_right = 3, .only_first = 1, .only_second = 2, .both_wrong = 1})
            .value() == 0.25);
}

TEST_CASE("a score never moves by more than the verdicts that changed") {
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    const PairedCounts counts = count_pairs(some_verdicts(random, 1 + random() % 60));
    CHECK(std::abs(*divergence(counts)) <= *disagreement(counts));
  }
}

TEST_CASE("severe is what lies outside the quarter circle, not on it") {
  CHECK_FALSE(is_severe(0.03, 0.04));
  CHECK(is_severe(-0.03, 0.0401));
  CHECK(is_severe(0, 0.2, 0.1));
}

TEST_CASE("the sign-flip test of verdicts is McNemar's exact test") {
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    const auto items = some_verdicts(random, 1 + random() % 24);
    std::vector<double> differences;
    for (const Verdicts& item : items)
      differences.push_back(static_cast<double>(item.second) - static_cast<double>(item.first));
    const auto flipped = sign_flip_test(differences, std::size_t{1} << 25);
    REQUIRE(flipped);
    CHECK(flipped->exact);
    CHECK(flipped->p == near(mcnemar_exact(count_pairs(items)), 1e-12));
  }
}

TEST_CASE("drawn signs come near to all signs, and the same seed draws the same ones") {
  std::vector<double> differences;
  for (int i = 0; i < 18; ++i) differences.push_back(std::sin(i) + 0.4);
  const auto all = sign_flip_test(differences, std::size_t{1} << 18);
  const auto some = sign_flip_test(differences, 20000, 3);
  REQUIRE(all);
  REQUIRE(some);
  CHECK(all->exact);
  CHECK_FALSE(some->exact);
  CHECK(std::abs(some->p - all->p) < 0.015);
  CHECK(sign_flip_test(differences, 20000, 3)->p == some->p);
  CHECK(sign_flip_test(differences, 20000, 4)->p != some->p);
}

TEST_CASE("the sign-flip test of nothing, of zeros and of what is no number") {
  CHECK_FALSE(sign_flip_test({}));
  CHECK(sign_flip_test(std::vector<double>{0, 0})->p == 1);
  CHECK_FALSE(sign_flip_test(std::vector<double>{1, NAN}));
}

}  // namespace
}  // namespace tare::stats
