#include "backend/llama/item_path.h"

#include <doctest/doctest.h>

#include <random>

namespace tare::backend::llama {
namespace {

using core::Token;

ScoreItem item(std::size_t id, std::vector<Token> tokens, std::size_t first_scored) {
  return {id, std::move(tokens), first_scored};
}

/// A block of 32 tokens, a question of 16, and choices.
std::vector<ScoreItem> questions() {
  std::vector<ScoreItem> items;
  for (Token question = 0; question < 3; ++question)
    for (Token choice = 0; choice < 4; ++choice) {
      std::vector<Token> tokens(32, 7);
      tokens.insert(tokens.end(), 16, 10 + question);
      tokens.insert(tokens.end(), 20, 20 + choice);
      items.push_back(item(items.size(), tokens, 48));
    }
  return items;
}

TEST_CASE("an item goes through the block, its question and its choice") {
  const auto items = questions();
  const std::vector<std::size_t> chosen{5};
  const auto paths = item_paths(items, chosen, {});
  REQUIRE(paths.size() == 1);
  const auto& steps = paths[0].steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].begin == 0);
  CHECK(steps[0].end == 32);
  CHECK(steps[0].items == 12);
  CHECK(steps[1].end == 48);
  CHECK(steps[1].items == 4);
  CHECK(steps[2].end == 67);
  CHECK(steps[2].items == 1);
  CHECK(steps[0].decode <= steps[1].decode);
  CHECK(steps[1].decode <= steps[2].decode);
  CHECK(steps[2].decode <= paths[0].decodes);
}

TEST_CASE("choices of one token end where their context ends") {
  std::vector<ScoreItem> items;
  for (Token choice = 0; choice < 4; ++choice) {
    std::vector<Token> tokens(16, 7);
    tokens.push_back(choice);
    items.push_back(item(items.size(), tokens, 16));
  }
  const std::vector<std::size_t> chosen{0, 3};
  for (const ItemPath& path : item_paths(items, chosen, {})) {
    REQUIRE(path.steps.size() == 1);
    CHECK(path.steps[0].end == 16);
    CHECK(path.steps[0].items == 4);
    CHECK(path.decodes == 1);
  }
}

TEST_CASE("large streams come first, whatever the order of the items") {
  std::vector<ScoreItem> items{item(0, std::vector<Token>(100, 1), 99),
                               item(1, std::vector<Token>(3000, 2), 2999)};
  const std::vector<std::size_t> chosen{0, 1};
  const auto paths = item_paths(items, chosen, {});
  CHECK(paths[1].group == 1);
  CHECK(paths[0].group == 2);
  CHECK(paths[0].capacity < paths[1].capacity);
}

TEST_CASE("every item's steps cover its inputs, in order of decodes") {
  std::mt19937 random(3);
  std::vector<ScoreItem> items;
  for (std::size_t i = 0; i < 200; ++i) {
    std::vector<Token> tokens(random() % 3 * 20, 1);
    const std::size_t size = tokens.size() + 2 + random() % 40;
    while (tokens.size() < size) tokens.push_back(static_cast<Token>(random() % 2));
    items.push_back(item(i, tokens, 1 + random() % (size - 1)));
  }
  std::vector<std::size_t> all(items.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto paths = item_paths(items, all, {});
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::size_t end = 0, decode = 0;
    for (const PathStep& step : paths[i].steps) {
      CHECK(step.begin == end);
      CHECK(step.decode >= std::max<std::size_t>(decode, 1));
      CHECK(step.items >= 1);
      end = step.end;
      decode = step.decode;
    }
    CHECK(end == items[i].tokens.size() - 1);
  }
}

}  // namespace
}  // namespace tare::backend::llama
