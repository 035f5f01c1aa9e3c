#include "backend/llama/batch.h"

#include <doctest/doctest.h>

#include <set>

namespace tare::backend::llama {
namespace {

/// Two questions behind a block, with choices of one and of several tokens.
std::vector<ScoreItem> questions() {
  std::vector<ScoreItem> items;
  for (core::Token question = 0; question < 2; ++question)
    for (core::Token choice = 0; choice < 4; ++choice) {
      std::vector<core::Token> tokens(40, 7);
      tokens.insert(tokens.end(), 15, 10 + question);
      tokens.insert(tokens.end(), question == 0 ? 1 : 6, 20 + choice);
      items.push_back({items.size(), tokens, 55});
    }
  return items;
}

TEST_CASE(
    "logits are computed for the rows that are read, rounded up to a tile, and for no others") {
  const std::vector<ScoreItem> items = questions();
  const Shape shape;
  Streams streams;
  std::set<std::pair<std::size_t, std::size_t>> read;  // item and position
  for (const Decode& decode :
       make_schedule(build_prefix_tree(items), items, shape, streams, false)) {
    Batch batch;
    batch.fill(decode, items, shape.tile);
    const llama_batch view = batch.view();
    std::size_t marked = 0;
    for (std::int32_t row = 0; row < view.n_tokens; ++row) marked += view.logits[row] != 0 ? 1 : 0;
    const auto rows = output_rows(decode);
    for (const OutputRow& output : rows) {
      CHECK(view.logits[output.row] != 0);
      for (const Read& next : output.reads) read.emplace(next.item, next.position);
    }
    CHECK(marked == (rows.size() + shape.tile - 1) / shape.tile * shape.tile);
  }
  // 4 choices of one token, 4 of six.
  CHECK(read.size() == 4 + 4 * 6);
}

TEST_CASE("of sequences side by side the logits of one are asked for") {
  Batch batch;
  const std::vector<Row> rows{{5, 0, 0}, {6, 0, 1}, {7, 1, 0}, {8, 1, 1}};
  batch.fill(rows, 1);
  const llama_batch view = batch.view();
  REQUIRE(view.n_tokens == 4);
  for (std::int32_t row = 0; row < 4; ++row) CHECK((view.logits[row] != 0) == (row % 2 == 1));
  CHECK(*view.seq_id[3] == 1);
  CHECK(view.pos[2] == 1);
}

}  // namespace
}  // namespace tare::backend::llama
