#include "backend/llama/item_sums.h"

#include <doctest/doctest.h>

namespace tare::backend::llama {
namespace {

TEST_CASE("an item is finished with its last read, once, under its own id") {
  const std::vector<ScoreItem> items{{70, {1, 2, 3, 4}, 2}, {80, {1, 2}, 1}};
  ItemSums sums(items);
  CHECK(sums.target({1, 0}) == 3);
  sums.add({1, 0}, -0.5, true);
  CHECK(sums.take_finished().empty());
  sums.add({0, 1}, -2, false);
  sums.add({2, 0}, -0.25, true);
  const auto finished = sums.take_finished();
  REQUIRE(finished.size() == 2);
  CHECK(finished[0].id == 80);
  CHECK(finished[0].value->sum == -2);
  CHECK_FALSE(finished[0].value->greedy);
  CHECK(finished[1].id == 70);
  CHECK(finished[1].value->sum == -0.75);
  CHECK(finished[1].value->greedy);
  CHECK(sums.take_finished().empty());
}

TEST_CASE("greedy means that every token is the argmax") {
  const std::vector<ScoreItem> items{{0, {1, 2, 3}, 1}};
  ItemSums sums(items);
  sums.add({0, 0}, -1, false);
  sums.add({1, 0}, -1, true);
  CHECK_FALSE(sums.take_finished()[0].value->greedy);
}

}  // namespace
}  // namespace tare::backend::llama
