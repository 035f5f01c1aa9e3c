#include "backend/llama/lockstep.h"

#include <doctest/doctest.h>

namespace tare::backend::llama {
namespace {

ScoreItem item(std::size_t id, std::vector<core::Token> tokens) {
  const std::size_t last = tokens.size() - 1;
  return {id, std::move(tokens), last};
}

TEST_CASE("a walk goes on from the last branch and computes no token twice") {
  const std::vector<ScoreItem> items{item(0, {1, 2, 3, 4, 5, 9}), item(1, {1, 2, 3, 4, 6, 7, 9}),
                                     item(2, {1, 2, 8, 9})};
  const PrefixTree tree = build_prefix_tree(items);
  REQUIRE(tree.roots.size() == 1);
  CHECK(count_leaves(tree)[tree.roots[0]] == 3);
  const auto pieces = walk(tree, tree.roots[0], 0);
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[0].begin == 0);
  std::size_t tokens = 0, reads = 0;
  for (const Piece& piece : pieces) {
    tokens += piece.end - piece.begin;
    reads += piece.reads.size();
  }
  CHECK(tokens == 8);
  CHECK(reads == 3);
}

TEST_CASE("streams of unlike rest advance by what all of them have") {
  const Piece piece{.begin = 0, .end = 100};
  std::vector<Cursor> cursors;
  for (const std::size_t at : {0, 4, 8, 12}) cursors.push_back({&piece, at});
  const Step step = best_step(cursors, {.streams = 4});
  CHECK(step.first == 0);
  CHECK(step.count == 4);
  CHECK(step.rows >= 88);
}

TEST_CASE("three streams of one row each get eight rows or a fourth stream") {
  const Piece piece{.begin = 0, .end = 1};
  const Step step = best_step(std::vector<Cursor>(3, {&piece, 0}), {.streams = 3});
  CHECK(step.rows * step.count % 8 == 0);
  CHECK(step.rows % 2 == 0);
}

TEST_CASE("an idle stream takes part only between others, and never is the first") {
  const Piece piece{.begin = 0, .end = 4};
  const std::vector<Cursor> cursors{{}, {&piece, 0}, {}, {&piece, 0}, {}};
  const Step step = best_step(cursors, {.streams = 5});
  CHECK(step.first >= 1);
  CHECK(step.first + step.count <= 4);
}

}  // namespace
}  // namespace tare::backend::llama
