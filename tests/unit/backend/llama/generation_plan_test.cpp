#include "backend/llama/generation_plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace tare::backend::llama {
namespace {

GenerateItem item(std::size_t length, const core::GenerationSettings& settings,
                  core::Token first = 1) {
  std::vector<core::Token> tokens(length, 5);
  tokens[0] = first;
  return {0, tokens, &settings, 0};
}

TEST_CASE("an answer has room for max_tokens or up to the end of the context") {
  core::GenerationSettings settings;
  settings.max_tokens = 100;
  CHECK(answer_room(item(10, settings), 1000) == 100);
  CHECK(answer_room(item(950, settings), 1000) == 50);
  CHECK(answer_room(item(999, settings), 1000) == 1);
}

TEST_CASE("the longest prompts come first, neighbours share prefixes") {
  core::GenerationSettings settings;
  settings.max_tokens = 56;
  const std::vector<GenerateItem> items{item(100, settings, 3), item(2000, settings),
                                        item(120, settings, 2), item(90, settings, 3),
                                        item(1500, settings),   item(30, settings, 2)};
  const auto groups = plan_generation(items, 16, 8192);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].items == std::vector<std::size_t>{4, 1});
  CHECK(groups[0].capacity >= 2056);
  CHECK(groups[1].items == std::vector<std::size_t>{5, 2, 3, 0});
}

TEST_CASE("each item stands in one group once, and its prompt and answer fit") {
  std::mt19937 random(8);
  std::vector<core::GenerationSettings> settings(5);
  for (std::size_t i = 0; i < settings.size(); ++i) settings[i].max_tokens = 1 + 300 * i;
  std::vector<GenerateItem> items;
  for (int i = 0; i < 200; ++i)
    items.push_back(item(1 + random() % 3000, settings[random() % settings.size()]));
  std::vector<std::size_t> seen;
  std::size_t last = 8192;
  for (const CapacityGroup& group : plan_generation(items, 16, 4096)) {
    CHECK(group.capacity < last);
    last = group.capacity;
    for (const std::size_t i : group.items) {
      const std::size_t tokens = items[i].tokens.size();
      const std::size_t padded = (tokens + 15) / 16 * 16;
      CHECK(group.capacity >= std::max(tokens + answer_room(items[i], 4096), padded));
      seen.push_back(i);
    }
  }
  std::ranges::sort(seen);
  CHECK(seen.size() == items.size());
  CHECK(std::ranges::adjacent_find(seen) == seen.end());
  CHECK(plan_generation({}, 16, 4096).empty());
}

}  // namespace
}  // namespace tare::backend::llama
