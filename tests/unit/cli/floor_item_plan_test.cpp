#include "cli/floor_item_plan.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "cli/floor_item_words.h"

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
  options.server_items = 0;
  const auto items = plan_items({}, plan, options);
  if (!items) return {items.error().text};
  std::vector<std::string> names;
  for (const ItemRow& row : items->rows) names.push_back(row.name);
  REQUIRE(names.front() == "reference");
  names.erase(names.begin());
  return names;
}

core::BuiltTask task_of(std::vector<std::size_t> ids) {
  core::BuiltTask task;
  task.name = "t";
  task.doc_ids = std::move(ids);
  return task;
}

using Names = std::vector<std::string>;

TEST_CASE("items are asked under one setting of each kind, or under those that are named") {
  const FloorPlan plan = default_plan();
  CHECK(asked(plan, {}) == Names{"ubatch-32", "flash-attention", "repack-off", "tier-avx",
                                 "prefix-kept", "parallel-4"});
  FloorPlan wider = plan;
  for (PlannedSetting& one : wider.settings) one.missing.clear();
  CHECK(asked(wider, {}) == Names{"ubatch-32", "flash-attention", "repack-off", "tier-avx512",
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

TEST_CASE("the usual items are 980, spread over their benchmarks") {
  FloorOptions options;
  const Names words = item_words(options);
  REQUIRE(words.size() == 4);
  CHECK(words[1] == "floor_mmlu,floor_triviaqa,floor_gsm8k");
  CHECK(std::ranges::count(words[3], ',') == 980 - 1);
  CHECK(words[3].starts_with(R"({"floor_mmlu": [0, 23, 46, 70, )"));
  CHECK(words[3].ends_with("1305, 1312]}"));
  options.task_words = {"--limit", "3"};
  CHECK(item_words(options).back() == "3");
}

TEST_CASE("the server is asked some of the same items") {
  FloorOptions options;
  options.tasks = "t";
  options.task_words = {"--limit", "9", "--num-fewshot", "2"};
  const std::vector<core::BuiltTask> tasks{task_of({3, 5, 8, 13, 21})};
  CHECK(fewer_item_words(options, tasks, 2) ==
        Names{"--tasks", "t", "--num-fewshot", "2", "--samples", R"({"t": [3, 8]})"});
  CHECK(fewer_item_words(options, tasks, 9).back() == R"({"t": [3, 5, 8, 13, 21]})");
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
