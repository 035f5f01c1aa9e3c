#include "backend/llama/probe_work.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "backend/llama/shape_class.h"

namespace tare::backend::llama {
namespace {

std::vector<core::Token> run_of(core::Token first, std::size_t count) {
  std::vector<core::Token> tokens(count);
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

bool same_work(const ProbeWork& a, const ProbeWork& b) {
  const auto same = [](const ScoreItem& x, const ScoreItem& y) {
    return x.id == y.id && x.tokens == y.tokens && x.first_scored == y.first_scored;
  };
  return std::ranges::equal(a.items, b.items, same) &&
         std::ranges::equal(a.company, b.company, same) &&
         std::ranges::equal(a.answers, b.answers, same);
}

TEST_CASE("a probe's items share a prefix and have tails of unlike length, one of a token") {
  const std::vector<ScoreItem> questions{{7, run_of(100, 300), 1}};
  const ProbeWork work = make_probe_work(questions, {}, {});
  REQUIRE(work.items.size() == kProbeItems);
  const auto& full = work.items[kLongTail].tokens;
  for (const ProbeItem i : {kLongTail, kShortTail, kOneToken}) {
    CHECK(work.items[i].first_scored == 13);
    CHECK(std::equal(full.begin(), full.begin() + 13, work.items[i].tokens.begin()));
  }
  CHECK(full.size() == 22);
  CHECK(work.items[kShortTail].tokens.size() == 16);
  CHECK(work.items[kOneToken].tokens.size() == 14);
  CHECK(work.items[kSeparate].first_scored == 1);
  CHECK(work.company.size() == 4);
  CHECK(work.answers.empty());
}

TEST_CASE("a probe's tokens are the questions', in their order") {
  const std::vector<ScoreItem> questions{{0, run_of(100, 8), 1}, {1, run_of(500, 300), 4}};
  const ProbeWork work = make_probe_work(questions, {}, {});
  CHECK(work.items[kLongTail].tokens[7] == 107);
  CHECK(work.items[kLongTail].tokens[8] == 500);
}

TEST_CASE("too few tokens start again with the first") {
  const std::vector<ScoreItem> questions{{0, {1, 2}, 1}, {1, {}, 0}, {2, {3}, 1}};
  const std::vector<core::Token> expected{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1};
  const ProbeWork work = make_probe_work(questions, {}, {});
  CHECK(std::equal(expected.begin(), expected.end(), work.items[kOneToken].tokens.begin()));
}

TEST_CASE("one token is enough for a probe, none is not") {
  const std::vector<ScoreItem> one{{0, {5}, 1}};
  CHECK(make_probe_work(one, {}, {}).items[kSeparate].tokens == std::vector<core::Token>(23, 5));
  CHECK(make_probe_work({}, {}, {}).items.empty());
}

TEST_CASE("a probe continues prompts where the run does") {
  const core::GenerationSettings settings;
  const std::vector<GenerateItem> prompts{{0, run_of(10, 40), &settings, 1}};
  const ProbeWork work = make_probe_work({}, prompts, {});
  REQUIRE(work.answers.size() == 3);
  for (const ScoreItem& answer : work.answers)
    CHECK(answer.tokens.size() == answer.first_scored + 2);
  CHECK(work.items.size() == kProbeItems);
}

TEST_CASE("the same questions give the same probe") {
  const std::vector<ScoreItem> questions{{0, run_of(3, 77), 1}};
  CHECK(same_work(make_probe_work(questions, {}, {}), make_probe_work(questions, {}, {})));
  CHECK_FALSE(same_work(make_probe_work(questions, {}, {}),
                        make_probe_work(questions, {}, kThoroughProbe)));
}

TEST_CASE("classes of shapes become narrower until one sequence at a time is left") {
  std::vector<std::string> names;
  for (std::optional shape(ShapeClass{.tile = 4, .grain = 2}); shape; shape = narrower(*shape))
    names.push_back(class_name(*shape));
  CHECK(names == std::vector<std::string>{"tile 4, grain 2", "tile 4", "tile 8", "tile 16",
                                          "tile 32", "one sequence at a time"});
}

TEST_CASE("a tile above the largest one that is tried narrows to one sequence at a time") {
  const auto shape = narrower({.tile = 64, .grain = 64});
  REQUIRE(shape);
  CHECK(shape->alone);
  CHECK(shape->tile == 64);
  CHECK_FALSE(narrower(*shape));
}

}  // namespace
}  // namespace tare::backend::llama
