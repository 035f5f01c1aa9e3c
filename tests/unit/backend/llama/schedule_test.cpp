#include "backend/llama/schedule.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace tare::backend::llama {
namespace {

using core::Token;
using Random = std::mt19937;

std::size_t draw(Random& random, std::size_t least, std::size_t most) {
  return std::uniform_int_distribution<std::size_t>(least, most)(random);
}

std::vector<Token> draw_tokens(Random& random, std::size_t count) {
  std::vector<Token> tokens(count);
  for (Token& token : tokens) token = static_cast<Token>(draw(random, 0, 3));
  return tokens;
}

void add_item(std::vector<ScoreItem>& items, std::vector<Token> tokens, std::size_t first_scored) {
  items.push_back({items.size(), std::move(tokens), first_scored});
}

/// Questions behind a common block, each with several choices; some choices have one token, some
/// items are scored from their first token on.
std::vector<ScoreItem> draw_items(Random& random) {
  std::vector<ScoreItem> items;
  const std::size_t blocks = draw(random, 1, 3);
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto block = draw_tokens(random, draw(random, 0, 90));
    const std::size_t questions = draw(random, 1, 12);
    for (std::size_t q = 0; q < questions; ++q) {
      auto context = block;
      const auto question = draw_tokens(random, draw(random, 1, 40));
      context.insert(context.end(), question.begin(), question.end());
      const std::size_t choices = draw(random, 1, 5);
      for (std::size_t c = 0; c < choices; ++c) {
        auto tokens = context;
        const auto choice = draw_tokens(random, draw(random, 1, 12));
        tokens.insert(tokens.end(), choice.begin(), choice.end());
        add_item(items, tokens, draw(random, 0, 4) == 0 ? 1 : context.size());
      }
    }
  }
  std::shuffle(items.begin(), items.end(), random);
  return items;
}

/// Follows a schedule as an engine would, and checks every promise of schedule.h on the way.
class Follower {
 public:
  Follower(std::span<const ScoreItem> items, const Shape& shape, Streams streams)
      : items_(items), shape_(shape), streams_(std::move(streams)) {
    streams_.resize(shape.streams);
  }

  void follow(std::span<const Decode> decodes) {
    for (const Decode& decode : decodes) follow(decode);
    for (std::size_t i = 0; i < items_.size(); ++i)
      REQUIRE(next_read_[i] == items_[i].tokens.size() - 1);
  }

  /// What the planner says a stream holds is the beginning of what it holds.
  void check_claim(const Streams& claimed) const {
    REQUIRE(claimed.size() == streams_.size());
    for (std::size_t s = 0; s < claimed.size(); ++s) {
      REQUIRE(claimed[s].size() <= streams_[s].size());
      REQUIRE(std::equal(claimed[s].begin(), claimed[s].end(), streams_[s].begin()));
    }
  }

  std::size_t computed = 0, rows = 0;

 private:
  void follow(const Decode& decode) {
    REQUIRE(!decode.work.empty());
    REQUIRE(decode.rows > 0);
    REQUIRE(decode.rows % shape_.grain == 0);
    REQUIRE(decode.rows * decode.work.size() % shape_.tile == 0);
    REQUIRE(decode.rows * decode.work.size() <= shape_.rows);
    for (const Copy& copy : decode.copies) {
      REQUIRE(streams_[copy.from].size() >= copy.tokens);
      streams_[copy.to] = streams_[copy.from];
      streams_[copy.to].resize(copy.tokens);
    }
    for (std::size_t w = 0; w < decode.work.size(); ++w) {
      REQUIRE(decode.work[w].stream == decode.work[0].stream + w);
      prepare(decode, decode.work[w]);
    }
    std::size_t outputs = 0;
    for (const StreamWork& work : decode.work) {
      REQUIRE(work.count <= decode.rows);
      append(work);
      outputs += read(work);
    }
    REQUIRE(outputs <= shape_.outputs);
    rows += decode.rows * decode.work.size();
  }

  void prepare(const Decode& decode, const StreamWork& work) {
    REQUIRE(work.stream < shape_.streams);
    std::vector<Token>& held = streams_[work.stream];
    REQUIRE(held.size() >= work.keep);
    std::size_t& rows_held = rows_held_[work.stream];
    REQUIRE((shape_.cuttable || work.keep == 0 || work.keep == rows_held));
    rows_held = work.keep + decode.rows;
    held.resize(work.keep);
    REQUIRE(work.keep + decode.rows <= shape_.capacity);
  }

  void append(const StreamWork& work) {
    const auto& tokens = items_[work.item].tokens;
    std::vector<Token>& held = streams_[work.stream];
    REQUIRE(std::equal(held.begin(), held.end(), tokens.begin()));
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(work.keep);
    held.insert(held.end(), first, first + static_cast<std::ptrdiff_t>(work.count));
    computed += work.count;
  }

  std::size_t read(const StreamWork& work) {
    std::set<std::size_t> rows_read;
    const std::vector<Token>& held = streams_[work.stream];
    for (const Read& read : work.reads) {
      REQUIRE(read.position >= work.keep);
      REQUIRE(read.position < work.keep + work.count);
      const ScoreItem& item = items_[read.item];
      std::size_t& next = next_read_.try_emplace(read.item, item.first_scored - 1).first->second;
      REQUIRE(read.position == next);
      next += 1;
      REQUIRE(std::equal(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(next),
                         item.tokens.begin()));
      rows_read.insert(read.position);
    }
    return rows_read.size();
  }

  std::span<const ScoreItem> items_;
  Shape shape_;
  Streams streams_;
  std::map<std::size_t, std::size_t> rows_held_;  ///< by stream, padding included
  std::map<std::size_t, std::size_t> next_read_;  ///< of each item that was read: the next position
};

std::vector<Decode> schedule(std::span<const ScoreItem> items, const Shape& shape, Streams& streams,
                             bool quick_start = false) {
  return make_schedule(build_prefix_tree(items, shape.cuttable), items, shape, streams,
                       quick_start);
}

TEST_CASE("every item's rows are computed once behind the right tokens, whatever the shapes") {
  Random random(20261129);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    Shape shape{.tile = draw(random, 0, 1) == 0 ? 8U : 24U};
    shape.grain = std::vector<std::size_t>{1, 2, 4, 8}[draw(random, 0, 3)];
    shape.capacity = 160 + shape.tile;
    shape.rows = shape.tile * draw(random, 1, 8);
    shape.outputs = shape.tile * draw(random, 1, 4);
    shape.streams = draw(random, 1, 9);
    shape.cuttable = draw(random, 0, 2) != 0;
    Streams streams;
    for (int call = 0; call < 3; ++call) {
      const auto items = draw_items(random);
      Follower follower(items, shape, streams);
      follower.follow(schedule(items, shape, streams, call == 0));
      follower.check_claim(streams);
    }
  }
}

std::vector<ScoreItem> five_shot(std::size_t questions, std::size_t block, std::size_t question) {
  std::vector<ScoreItem> items;
  for (std::size_t q = 0; q < questions; ++q)
    for (Token choice = 0; choice < 4; ++choice) {
      std::vector<Token> tokens(block, 1);
      tokens.resize(block + question, static_cast<Token>(10 + q));
      tokens.push_back(choice);
      add_item(items, tokens, tokens.size() - 1);
    }
  return items;
}

TEST_CASE("a few-shot block is computed once and choices of one token cost nothing") {
  const auto items = five_shot(50, 320, 48);
  Streams streams;
  const auto decodes = schedule(items, {}, streams);
  Follower follower(items, {}, {});
  follower.follow(decodes);
  CHECK(follower.computed == 320 + 50 * 48);
  CHECK(follower.rows == follower.computed);
}

TEST_CASE("the next call finds the block that the last one left") {
  Streams streams;
  const auto first = five_shot(3, 320, 48);
  schedule(first, {}, streams);
  const auto second = five_shot(7, 320, 48);
  Follower follower(second, {}, streams);
  follower.follow(schedule(second, {}, streams));
  CHECK(follower.computed == 6 * 48 + 1);  // of the first question only the row that is read
}

TEST_CASE("quick start: a short path comes before the long ones, and nothing is lost") {
  std::vector<ScoreItem> items;
  for (std::size_t i = 0; i < 40; ++i) {
    std::vector<Token> tokens(20 + 10 * i, static_cast<Token>(i));
    add_item(items, tokens, tokens.size() - 1);
  }
  Streams streams;
  const auto decodes = schedule(items, {}, streams, true);
  CHECK(decodes[0].work.size() == 1);
  CHECK(decodes[0].work[0].count <= 19);
  CHECK(decodes[0].work[0].item == 0);
  const auto other =
      std::ranges::find_if(decodes, [](const Decode& decode) { return decode.work[0].item != 0; });
  CHECK(items[other->work[0].item].tokens.size() > 300);
  Follower(items, {}, {}).follow(decodes);
}

TEST_CASE("a sequence longer than a decode is computed in pieces of one stream") {
  std::vector<ScoreItem> items;
  add_item(items, std::vector<Token>(1300, 5), 1);
  Streams streams;
  const auto decodes = schedule(items, {}, streams);
  CHECK(decodes.size() <= 7);  // 1,299 rows are read, at most 256 in a decode
  for (const Decode& decode : decodes) CHECK(decode.rows <= 256);
  Follower(items, {}, {}).follow(decodes);
}

}  // namespace
}  // namespace tare::backend::llama
