#include "cli/budget.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tare::cli {
namespace {

constexpr plan::Work kScoring{.scored = 4680, .attended = 100, .logit_rows = 10};
const core::ModelShape kShape{1000, 500, 10};

Planned planned(std::size_t documents, core::OutputType type) {
  Planned made;
  made.tasks.resize(1);
  made.tasks[0].name = "zoo";
  made.tasks[0].documents.resize(documents);
  made.tasks[0].output_type = type;
  return made;
}

}  // namespace

TEST_CASE("time follows from the speed, energy from time and watts") {
  const core::Cost cost = cost_of(kScoring, kShape, {468.0, std::nullopt, 20.0});
  CHECK(cost.tokens == 4680);
  CHECK(cost.flops == 2.0 * (4680 * 1000 + 10 * 500 + 100 * 10));
  CHECK(*cost.seconds == doctest::Approx(10));
  CHECK(*cost.joules == doctest::Approx(200));
}

TEST_CASE("each unknown leaves only what rests on it unknown") {
  const core::Cost shapeless =
      cost_of(kScoring, base::input_error("no shape"), {468.0, std::nullopt, std::nullopt});
  CHECK_FALSE(shapeless.flops);
  CHECK(shapeless.seconds);
  CHECK_FALSE(shapeless.joules);
  const core::Cost slow = cost_of(kScoring, kShape, {std::nullopt, std::nullopt, 20.0});
  CHECK(slow.flops);
  CHECK_FALSE(slow.seconds);
  CHECK_FALSE(slow.joules);
}

TEST_CASE("what 320 items find, and the items that differences need") {
  const store::PlannedBudget budget =
      planned_budget(planned(320, core::OutputType::multiple_choice), {}, {});
  const store::PlannedReach& reach = budget.sensitivity.tasks.at(0);
  // By scipy 1.17.1, of McNemar's exact test; z at 0.975 and 0.8 add up to 2.801585.
  CHECK(*reach.paired == doctest::Approx(0.0513029).epsilon(1e-4));
  CHECK(*reach.unpaired == doctest::Approx(2.801585 * std::sqrt(0.5 / 320)));
  REQUIRE(budget.sensitivity.needed.size() == 3);
  CHECK(budget.sensitivity.needed[0].paired > 7849U);  // the normal formula's 7.848880·0.1/0.01²
  CHECK(budget.sensitivity.needed[0].unpaired == 39245U);  // 7.848880·0.5/0.01²
}

TEST_CASE("no difference is found that cannot be") {
  const auto reach_of = [](std::size_t documents, double discordance) {
    BudgetOptions options;
    options.discordance = discordance;
    return planned_budget(planned(documents, core::OutputType::multiple_choice), {}, options)
        .sensitivity.tasks.at(0);
  };
  for (const std::size_t documents : {0, 1, 4, 5}) {
    CHECK_FALSE(reach_of(documents, 0.1).paired);
    CHECK(reach_of(documents, 0.1).verdicts);
  }
  CHECK_FALSE(reach_of(1, 0.1).unpaired);
  CHECK(*reach_of(4, 0.1).unpaired <= 1);
  for (const double discordance : {0.01, 0.1, 1.0}) {
    const auto least = reach_of(6, discordance).paired;
    REQUIRE(least);
    CHECK(*least <= 1);
  }
}

TEST_CASE("a difference takes at least as many changed verdicts as it is large") {
  BudgetOptions options;
  options.differences = {0.2, 1e-12};
  const store::PlannedBudget budget =
      planned_budget(planned(10, core::OutputType::multiple_choice), {}, options);
  // All of them go one way, six are the fewest that the test finds: P(X ≥ 6) is 0.820 for X of
  // Binomial(39, 0.2), and 0.7996 of 38.
  CHECK(budget.sensitivity.needed.at(0).paired == 39U);
  CHECK_FALSE(budget.sensitivity.needed.at(1).paired);
  CHECK_FALSE(budget.sensitivity.needed.at(1).unpaired);
  const std::string text = budget_text(budget);
  CHECK(text.find("more than 9e+15") != std::string::npos);
}

TEST_CASE("words that are no numbers are told as they are") {
  const auto fault = [](const BudgetWords& words) {
    const auto options = budget_options(words);
    return options ? std::string()
                   : options.error().text.substr(0, options.error().text.find(": "));
  };
  BudgetWords words;
  CHECK(fault(words).empty());
  for (const char* bad : {"inf", "nan", "1e400", "1e300", "-1", "0", "many", "0x41"}) {
    words.watts = bad;
    CHECK(fault(words) == std::string("--watts ") + bad);
  }
  words.watts = "";
  CHECK(fault(words) == "--watts ''");
  words = {.wanted = true, .watts = "65", .discordance = "", .differences = {}};
  CHECK(fault(words) == "--discordance ''");
  words.discordance = "0.2";
  for (const char* bad : {"0.01,,0.02", "1e-400", "two"}) {
    words.differences = std::vector<std::string>{bad};
    CHECK(fault(words) == std::string("--detect ") + bad);
  }
  words.differences = std::vector<std::string>{""};
  CHECK(fault(words) == "--detect ''");
  words.differences = std::vector<std::string>{"0.01, 0.02", "1"};
  const auto options = budget_options(words);
  REQUIRE(options);
  CHECK(options->differences == std::vector{0.01, 0.02, 1.0});
  CHECK(options->discordance == 0.2);
  CHECK(options->watts == 65.0);
}

TEST_CASE("scores that are no verdicts have no such reach") {
  const store::PlannedBudget budget =
      planned_budget(planned(10, core::OutputType::loglikelihood_rolling), {}, {});
  CHECK_FALSE(budget.sensitivity.tasks.at(0).verdicts);
  CHECK_FALSE(budget.sensitivity.tasks.at(0).paired);
  CHECK_FALSE(budget.sensitivity.tasks.at(0).unpaired);
}

}  // namespace tare::cli
