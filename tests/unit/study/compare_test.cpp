#include "study/compare.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "unit/study/studies.h"

namespace tare {
namespace {

using study::Comparison;
using study::Observations;
using Values = std::vector<double>;

Values verdicts(std::mt19937& random, std::size_t n) {
  Values values(n);
  for (double& value : values) value = random() % 2 == 0 ? 1 : 0;
  return values;
}

/// Two cells of one model and mode, the second one against the first.
Comparison compare_two(const Values& first, const Values& second) {
  study::Design design = test::small_design();
  Observations observations = test::empty_observations(design, first.size());
  test::add_cell(observations, {0, 0, "deterministic", 0, 0}).items["acc"] = first;
  test::add_cell(observations, {0, 1, "deterministic", 0, 0}).items["acc"] = second;
  const auto all = study::compare(design, observations);
  REQUIRE(all.size() == 1);
  return all.front();
}

}  // namespace

TEST_CASE("of verdicts |Δ| never exceeds D, and both come from the changed items") {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const std::size_t n = 1 + random() % 40;
    const Values first = verdicts(random, n), second = verdicts(random, n);
    const Comparison found = compare_two(first, second);
    double gained = 0, lost = 0;
    for (std::size_t k = 0; k < n; ++k) {
      gained += second[k] > first[k] ? 1 : 0;
      lost += second[k] < first[k] ? 1 : 0;
    }
    const auto items = static_cast<double>(n);
    CHECK(found.divergence() == doctest::Approx((gained - lost) / items));
    CHECK(*found.disagreement == doctest::Approx((gained + lost) / items));
    CHECK(std::abs(found.divergence()) <= *found.disagreement + 1e-12);
    CHECK(static_cast<double>(found.changed.size()) == gained + lost);
    CHECK(found.verdicts);
    CHECK(found.test == "McNemar");
  }
}

TEST_CASE("of other values |Δ| never exceeds the mean distance") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 50; ++i) {
    Values first(30), second(30);
    for (double& value : first) value = uniform(random);
    for (double& value : second) value = uniform(random);
    const Comparison found = compare_two(first, second);
    CHECK(std::abs(found.divergence()) <= *found.disagreement + 1e-12);
    CHECK_FALSE(found.verdicts);
    CHECK_FALSE(found.kappa);
    CHECK(found.test == "sign flips");
  }
}

TEST_CASE("equal answers are exactly equal: no divergence, no disagreement, nothing severe") {
  const Comparison found = compare_two({1, 0, 1, 1}, {1, 0, 1, 1});
  CHECK(found.divergence() == 0);
  CHECK(*found.disagreement == 0);
  CHECK(*found.severe == false);
  CHECK(*found.p == 1);
  CHECK(*found.effect == 0);
  CHECK(*found.kappa == 1);
  // Four items do not rule out that 53 % change.
  CHECK(*found.detectable ==
        doctest::Approx((1.959964 + 0.841621) * std::sqrt(0.527129 / 4)).epsilon(1e-5));
}

TEST_CASE("an answer can be another wrong one: the verdict stays, the answer does not") {
  study::Design design = test::small_design();
  Observations observations = test::empty_observations(design, 4);
  observations.cells.reserve(2);
  study::Measured& first = test::add_cell(observations, {0, 0, "deterministic", 0, 0});
  first.items["acc"] = {1, 0, 0, 0};
  first.texts = {"A", "B", "C", std::nullopt};
  study::Measured& second = test::add_cell(observations, {0, 1, "deterministic", 0, 0});
  second.items["acc"] = {1, 0, 0, 0};
  second.texts = {"A", "D", "C", "A"};
  const auto all = study::compare(design, observations);
  REQUIRE(all.size() == 1);
  CHECK(*all[0].disagreement == 0);
  CHECK(*all[0].other_answers == doctest::Approx(1.0 / 3));
}

TEST_CASE("items that one side lacks are left out and counted") {
  const double none = std::nan("");
  const Comparison found = compare_two({1, 0, none, 1}, {1, none, none, 0});
  CHECK(found.items == 2);
  CHECK(found.missing == 1);
  CHECK(found.baseline == 1);
  CHECK(found.score == 0.5);
}

TEST_CASE("repetitions are averaged within items, and D is of the majority") {
  study::Design design = test::small_design();
  design.modes = {"fix"};
  Observations observations = test::empty_observations(design, 2);
  const std::vector<Values> base{{1, 0}, {1, 0}, {0, 1}}, other{{0, 0}, {0, 0}, {1, 0}};
  for (std::size_t r = 0; r < 3; ++r) {
    test::add_cell(observations, {0, 0, "fix", r, 0}).items["acc"] = base[r];
    test::add_cell(observations, {0, 2, "fix", r, 0}).items["acc"] = other[r];
  }
  const auto all = study::compare(design, observations);
  REQUIRE(all.size() == 1);
  CHECK(all[0].baseline == doctest::Approx((2.0 / 3 + 1.0 / 3) / 2));
  CHECK(all[0].score == doctest::Approx((1.0 / 3 + 0) / 2));
  CHECK(*all[0].disagreement == 0.5);
  CHECK(all[0].changed == std::vector<std::size_t>{0});
  CHECK(all[0].items == 2);
  CHECK(all[0].test == "sign flips");
  CHECK(*all[0].baseline_floor == doctest::Approx(2.0 / 3));
  CHECK(*all[0].floor == doctest::Approx(1.0 / 3));
}

TEST_CASE("a ratio that is not defined in a repetition is left out and counted") {
  study::Design design = test::small_design();
  design.modes = {"fix"};
  Observations observations = test::empty_observations(design, 1);
  const double none = std::nan("");
  for (std::size_t r = 0; r < 3; ++r) {
    test::add_cell(observations, {0, 0, "fix", r, 0}).pooled["icat"] = r == 0 ? none : 0.5;
    test::add_cell(observations, {0, 1, "fix", r, 0}).pooled["icat"] = r == 2 ? 0.9 : none;
    test::add_cell(observations, {0, 2, "fix", r, 0}).pooled["icat"] = none;
  }
  const auto all = study::compare(design, observations);
  REQUIRE(all.size() == 1);
  CHECK(all[0].baseline == 0.5);
  CHECK(all[0].score == 0.9);
  CHECK(all[0].missing == 3);
}

TEST_CASE("ratios of counts have a divergence and no test; biases are calibrated") {
  study::Design design = test::small_design();
  Observations observations = test::empty_observations(design, 1);
  test::add_cell(observations, {0, 0, "deterministic", 0, 0}).pooled = {{"ss", 0.5},
                                                                        {"ambig_bias_score", -0.2}};
  test::add_cell(observations, {0, 1, "deterministic", 0, 0}).pooled = {{"ss", 0.6},
                                                                        {"ambig_bias_score", 0.3}};
  const auto all = study::compare(design, observations);
  REQUIRE(all.size() == 2);
  CHECK(all[0].measure.metric == "ambig_bias_score");
  CHECK(all[0].divergence() == doctest::Approx(0.7 - 0.8));
  CHECK(all[1].divergence() == doctest::Approx(0.8 - 1.0));
  for (const Comparison& one : all) {
    CHECK_FALSE(one.p);
    CHECK_FALSE(one.disagreement);
    CHECK_FALSE(one.severe);
  }
}

namespace {

/// What is planted: of so many items in a hundred a wrong one becomes right, and a right one wrong.
struct Planted {
  std::size_t gained = 0, lost = 0;
};

constexpr std::size_t kItems = 200;
constexpr std::size_t kMetrics = 11;

std::string metric_name(std::size_t i) {
  return "metric" + std::to_string(i);
}

/// Verdicts of the baseline, and the same with the planted changes at random places.
void add_pair(std::mt19937& random, const Planted& planted, const std::string& metric,
              study::Measured& base, study::Measured& other) {
  Values first(kItems);
  for (std::size_t i = 0; i < kItems; ++i) first[i] = i % 2 == 0 ? 1 : 0;
  std::ranges::shuffle(first, random);
  Values second = first;
  std::size_t gained = planted.gained * kItems / 100, lost = planted.lost * kItems / 100;
  for (std::size_t i = 0; i < kItems; ++i) {
    if (first[i] == 0 && gained > 0) {
      second[i] = 1;
      --gained;
    } else if (first[i] == 1 && lost > 0) {
      second[i] = 0;
      --lost;
    }
  }
  base.items[metric] = first;
  other.items[metric] = second;
}

}  // namespace

TEST_CASE("planted effects are found with their Δ and D, and nothing else is") {
  const std::vector<Planted> planted{{0, 0},  {5, 5}, {20, 0}, {0, 20}, {20, 20}, {2, 2},
                                     {10, 0}, {3, 0}, {1, 1},  {0, 12}, {15, 5}};
  const std::vector<bool> significant{false, false, true,  true, false, false,
                                      true,  false, false, true, true};
  std::mt19937 random(5);
  study::Design design = test::small_design();
  Observations observations = test::empty_observations(design, kItems);
  study::Measured base, other;
  base.cell = {0, 0, "deterministic", 0, 0};
  other.cell = {0, 1, "deterministic", 0, 0};
  for (std::size_t i = 0; i < kMetrics; ++i)
    add_pair(random, planted[i], metric_name(i), base, other);
  observations.cells = {base, other};
  const auto all = study::compare(design, observations);
  REQUIRE(all.size() == kMetrics);
  for (const Comparison& one : all) {
    const auto i = static_cast<std::size_t>(std::stoi(one.measure.metric.substr(6)));
    CAPTURE(one.measure.metric);
    const double gained = static_cast<double>(planted[i].gained) / 100;
    const double lost = static_cast<double>(planted[i].lost) / 100;
    CHECK(one.divergence() == doctest::Approx(gained - lost));
    CHECK(*one.disagreement == doctest::Approx(gained + lost));
    CHECK(*one.severe == (std::hypot(gained - lost, gained + lost) > 0.05));
    CHECK(one.significant(0.05) == significant[i]);
    CHECK(one.interval->low <= gained - lost + 1e-12);
    CHECK(one.interval->high >= gained - lost - 1e-12);
  }
}

TEST_CASE("with nothing to find a family of 33 tests finds something in 5 % of studies at most") {
  std::mt19937 random(6);
  study::Design design = test::small_design();
  design.models.push_back({"three", {}});
  design.backends.pop_back();
  design.resamples = 0;  // verdicts need none
  constexpr int kStudies = 1000;
  constexpr std::size_t kFew = 60;
  int wrong = 0;
  for (int s = 0; s < kStudies; ++s) {
    Observations observations = test::empty_observations(design, kFew);
    for (std::size_t model = 0; model < 3; ++model)
      for (std::size_t backend = 0; backend < 2; ++backend) {
        auto& cell = test::add_cell(observations, {model, backend, "deterministic", 0, 0});
        for (std::size_t m = 0; m < kMetrics; ++m)
          cell.items[metric_name(m)] = verdicts(random, kFew);
      }
    const auto all = study::compare(design, observations);
    REQUIRE(all.size() == 33);
    wrong += std::ranges::any_of(all, [](const Comparison& one) { return one.significant(0.05); });
  }
  CHECK(wrong <= kStudies / 20);
  CHECK(wrong > 0);  // else the test would be of no power
}

TEST_CASE("tests of graded scores keep the level too") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  study::Design design = test::small_design();
  design.backends.pop_back();
  design.resamples = 400;
  constexpr int kStudies = 200;
  constexpr std::size_t kFew = 20;
  int wrong = 0;
  for (int s = 0; s < kStudies; ++s) {
    Observations observations = test::empty_observations(design, kFew);
    for (std::size_t backend = 0; backend < 2; ++backend) {
      auto& cell = test::add_cell(observations, {0, backend, "deterministic", 0, 0});
      for (std::size_t m = 0; m < 4; ++m) {
        Values values(kFew);
        for (double& value : values) value = uniform(random);
        cell.items[metric_name(m)] = values;
      }
    }
    const auto all = study::compare(design, observations);
    wrong += std::ranges::any_of(all, [](const Comparison& one) { return one.significant(0.05); });
  }
  // 5 % of 200 are 10; 17 is what a fair level exceeds once in a hundred times.
  CHECK(wrong <= 17);
}

}  // namespace tare
