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
  // z at 0.975 and 0.8 are 1.959964 and 0.841621, their sum 2.801585, its square 7.848880.
  const store::PlannedReach& reach = budget.sensitivity.tasks.at(0);
  CHECK(*reach.paired == doctest::Approx(2.801585 * std::sqrt(0.1 / 320)));
  CHECK(*reach.unpaired == doctest::Approx(2.801585 * std::sqrt(0.5 / 320)));
  REQUIRE(budget.sensitivity.needed.size() == 3);
  CHECK(budget.sensitivity.needed[0].paired == 7849);     // 7.848880·0.1/0.01²
  CHECK(budget.sensitivity.needed[0].unpaired == 39245);  // 7.848880·0.5/0.01²
  CHECK(budget.sensitivity.needed[2].paired == 314);      // 7.848880·0.1/0.05²
}

TEST_CASE("a difference takes at least as many changed verdicts as it is large") {
  BudgetOptions options;
  options.differences = {0.2};
  const store::PlannedBudget budget =
      planned_budget(planned(10, core::OutputType::multiple_choice), {}, options);
  CHECK(budget.sensitivity.needed.at(0).paired == 40);  // 7.848880·0.2/0.2²
}

TEST_CASE("scores that are no verdicts have no such reach") {
  const store::PlannedBudget budget =
      planned_budget(planned(10, core::OutputType::loglikelihood_rolling), {}, {});
  CHECK_FALSE(budget.sensitivity.tasks.at(0).paired);
  CHECK_FALSE(budget.sensitivity.tasks.at(0).unpaired);
}

}  // namespace tare::cli
