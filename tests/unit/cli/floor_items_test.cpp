#include "cli/floor_items.h"

#include <doctest/doctest.h>

namespace tare::cli {
namespace {

/// The default grid on a machine without AVX-512.
FloorPlan default_plan() {
  FloorPlan plan;
  plan.reference = floor::default_reference(2);
  for (floor::Setting& setting : floor::default_settings(plan.reference, 512)) {
    const std::string missing = setting.name == "tier-avx512" ? "this CPU lacks it" : "";
    plan.settings.push_back({std::move(setting), missing});
  }
  return plan;
}

std::vector<std::string> asked(const FloorPlan& plan, std::vector<std::string> wanted) {
  FloorOptions options;
  options.item_settings = std::move(wanted);
  const auto settings = asked_settings(plan, options);
  if (!settings) return {settings.error().text};
  std::vector<std::string> names;
  for (const PlannedSetting* one : *settings) names.push_back(one->setting.name);
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("items are asked under one setting of each kind, or under those that are named") {
  const FloorPlan plan = default_plan();
  CHECK(asked(plan, {}) == Names{"ubatch-32", "flash-attention", "repack-off", "tier-avx",
                                 "prefix-kept", "parallel-4"});
  CHECK(asked(plan, {"rerun", "ubatch-1"}) == Names{"rerun", "ubatch-1"});
  CHECK(asked(plan, {"tier-avx512"}).empty());
  CHECK(asked(plan, {"all"}).size() == plan.settings.size() - 1);
}

TEST_CASE("a grid of one's own is asked whole unless it has the usual names") {
  FloorPlan plan = default_plan();
  plan.settings.resize(2);
  CHECK(asked(plan, {}) == Names{"rerun", "threads-1"});
}

TEST_CASE("a setting that is not in the grid is refused with the nearest one") {
  const Names told = asked(default_plan(), {"paralel-4"});
  REQUIRE(told.size() == 1);
  CHECK(told[0].starts_with(
      "--item-settings: 'paralel-4' is no setting of the grid, did you mean parallel-4?; wanted "
      "all, or rerun, "));
}

}  // namespace
}  // namespace tare::cli
