#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <optional>

#include "stats/backend_effects.h"
#include "stats/estimates.h"
#include "stats/intervals.h"
#include "stats/multiplicity.h"
#include "stats/paired.h"
#include "stats/repetitions.h"
#include "stats/signed_rank.h"
#include "support/support.h"
#include "unit/stats/cases.h"

namespace tare {
namespace {

using base::Value;

constexpr double kLastDigit = 5.1e-8;

double number(const Value& dict, const char* key) {
  return dict.find(key)->as_number();
}

std::size_t count(const Value& dict, const char* key) {
  return static_cast<std::size_t>(dict.find(key)->as_int());
}

void check_near(double found, double wanted, double within = kLastDigit) {
  INFO("found " << found << ", wanted " << wanted);
  CHECK(std::abs(found - wanted) <= within);
}

void check_optional(std::optional<double> found, const Value& wanted) {
  REQUIRE(found.has_value() == !wanted.is_none());
  if (found) check_near(*found, wanted.as_number());
}

void check_all(const std::vector<double>& found, const Value& wanted) {
  REQUIRE(found.size() == wanted.items().size());
  for (std::size_t i = 0; i < found.size(); ++i)
    check_near(found[i], wanted.items()[i].as_number(), 1e-15);
}

void each(const char* suite, const std::function<void(const Value&)>& check) {
  const Value cases = test::load_cases("stats/studies.json");
  REQUIRE(!cases.find(suite)->items().empty());
  for (const Value& one : cases.find(suite)->items()) check(one);
}

}  // namespace

TEST_CASE("paired tests have their golden values") {
  each("mcnemar_exact", [](const Value& one) {
    check_near(
        stats::mcnemar_exact({.only_first = count(one, "n10"), .only_second = count(one, "n01")}),
        number(one, "p"), number(one, "within"));
  });
  each("wilcoxon", [](const Value& one) {
    const stats::SignedRankOptions options{
        one.find("zeros")->as_string() == "pratt" ? stats::Zeros::pratt : stats::Zeros::wilcox,
        one.find("continuity")->as_bool(), one.find("exact")->as_bool() ? 25u : 0u};
    const auto found = stats::signed_rank_test(test::numbers(*one.find("d")), options);
    REQUIRE(found);
    check_near(found->statistic, number(one, "w"), 0);
    check_optional(found->z, *one.find("z"));
    check_near(found->p, number(one, "p"));
  });
  each("kappa", [](const Value& one) {
    check_near(*stats::cohen_kappa(
                   {count(one, "n11"), count(one, "n10"), count(one, "n01"), count(one, "n00")}),
               number(one, "value"));
  });
}

TEST_CASE("corrections for many tests have their golden values") {
  each("holm", [](const Value& one) {
    check_all(stats::holm(test::numbers(*one.find("p"))), *one.find("adjusted"));
  });
  each("benjamini_hochberg", [](const Value& one) {
    check_all(stats::benjamini_hochberg(test::numbers(*one.find("p"))), *one.find("adjusted"));
  });
}

TEST_CASE("standard errors and intervals have their golden values") {
  each("stderr", [](const Value& one) {
    const auto x = test::numbers(*one.find("x"));
    std::vector<std::size_t> clusters;
    for (const Value& cluster : one.find("clusters")->items())
      clusters.push_back(static_cast<std::size_t>(cluster.as_int()));
    check_near(*stats::mean_stderr(x), number(one, "plain"));
    check_near(*stats::clustered_stderr(x, clusters), number(one, "clustered"));
    check_near(*stats::clustered_stderr_cr0(x, clusters), number(one, "cr0"));
  });
  each("wilson", [](const Value& one) {
    const auto found = stats::wilson(count(one, "successes"), count(one, "n"));
    check_near(found.low, number(one, "low"));
    check_near(found.high, number(one, "high"));
  });
}

TEST_CASE("the shares of the variance are those that the source gives") {
  each("shares", [](const Value& one) {
    const auto found = stats::variance_shares(
        {number(one, "deterministic"), number(one, "fix"), number(one, "default")});
    REQUIRE(found);
    check_near(found->structural, number(one, "structural"), number(one, "within"));
    check_near(found->sampling, number(one, "sampling"), number(one, "within"));
    check_near(found->defaults, number(one, "defaults"), number(one, "within"));
  });
}

TEST_CASE("repetitions give a majority and a floor") {
  each("majority", [](const Value& one) {
    CHECK(stats::majority(test::numbers(*one.find("verdicts"))) == one.find("right")->as_bool());
  });
  each("repetition_floor", [](const Value& one) {
    std::vector<std::vector<double>> repetitions;
    for (const Value& repetition : one.find("repetitions")->items())
      repetitions.push_back(test::numbers(repetition));
    check_optional(stats::repetition_floor(repetitions), *one.find("floor"));
  });
  each("unseen_rate", [](const Value& one) {
    check_optional(stats::unseen_rate(count(one, "n")), *one.find("rate"));
  });
}

}  // namespace tare
