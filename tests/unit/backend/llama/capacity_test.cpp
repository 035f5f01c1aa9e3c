#include "backend/llama/capacity.h"

#include <doctest/doctest.h>

namespace tare::backend::llama {
namespace {

ScoreItem item(std::size_t id, core::Token first, std::size_t length) {
  std::vector<core::Token> tokens(length, first);
  return {id, std::move(tokens), length - 1};
}

TEST_CASE("stream sizes are multiples of 256, at most half again as large as needed") {
  CHECK(stream_capacity(1) == 256);
  CHECK(stream_capacity(256) == 256);
  CHECK(stream_capacity(257) == 512);
  CHECK(stream_capacity(1025) == 1536);
  for (std::size_t tokens = 1; tokens < 20000; tokens += 7) {
    const std::size_t capacity = stream_capacity(tokens);
    CHECK(capacity >= tokens);
    CHECK(capacity % 256 == 0);
    CHECK(capacity < tokens + std::max<std::size_t>(256, tokens / 2));
  }
}

TEST_CASE("a long item does not make the short ones' streams long") {
  std::vector<ScoreItem> items{item(0, 1, 100), item(1, 2, 2000), item(2, 3, 120)};
  for (ScoreItem& one : items) one.tokens[0] = 9;  // all begin alike, as with a token BOS
  const auto groups = group_by_capacity(build_prefix_tree(items), items, 16);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].capacity == 2048);
  CHECK(groups[0].items == std::vector<std::size_t>{1});
  CHECK(groups[1].capacity == 256);
  CHECK(groups[1].items == std::vector<std::size_t>{0, 2});
}

TEST_CASE("items that share a prefix stay together") {
  std::vector<ScoreItem> items{item(0, 1, 400), item(1, 1, 420), item(2, 1, 900)};
  items[0].tokens.back() = items[0].tokens[380] = 2;
  const auto groups = group_by_capacity(build_prefix_tree(items), items, 16);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].items.size() == 3);
}

TEST_CASE("groups come largest first, so that too little memory shows at once") {
  std::vector<ScoreItem> items;
  for (std::size_t i = 0; i < 60; ++i)
    items.push_back(item(i, static_cast<core::Token>(i), 50 + (i * 37) % 60 * 50));
  const auto groups = group_by_capacity(build_prefix_tree(items), items, 16);
  REQUIRE(groups.size() > 3);
  for (std::size_t g = 1; g < groups.size(); ++g)
    CHECK(groups[g].capacity < groups[g - 1].capacity);
}

TEST_CASE("the KV cache may take a quarter of what the weights leave free") {
  CHECK(cache_budget(10000, 2000) == 2000);
  CHECK(cache_budget(1000, 2000) == 0);
  CHECK(cache_budget(0, 2000) == 1U << 30);
}

}  // namespace
}  // namespace tare::backend::llama
