#include "plan/shard.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/python_random.h"

namespace tare::plan {
namespace {

EncodedRequest request(std::vector<core::Token> tokens, bool generates) {
  EncodedRequest encoded;
  encoded.tokens = std::move(tokens);
  encoded.first_scored = encoded.tokens.size() - (generates ? 0 : 1);
  return encoded;
}

/// Questions of four choices behind one of three few-shot blocks, as benchmarks have them.
Plan benchmark(base::PythonRandom& random, std::size_t questions, bool generates = false) {
  std::vector<EncodedRequest> requests;
  for (std::size_t q = 0; q < questions; ++q) {
    std::vector<core::Token> tokens(300, static_cast<core::Token>(random.below(3)));
    for (std::size_t n = 20 + random.below(60); n > 0; --n)
      tokens.push_back(static_cast<core::Token>(random.below(1000)));
    for (core::Token choice = 0; choice < (generates ? 1 : 4); ++choice) {
      std::vector<core::Token> whole = tokens;
      whole.insert(whole.end(), {choice, choice});
      requests.push_back(request(std::move(whole), generates));
    }
  }
  return make_plan(std::move(requests));
}

std::vector<Plan> parts_of(const Plan& plan, std::size_t count) {
  std::vector<Plan> parts;
  for (std::size_t i = 1; i <= count; ++i) parts.push_back(shard(plan, {i, count}));
  return parts;
}

std::size_t costliest(const std::vector<Plan>& parts) {
  return std::ranges::max_element(parts, {}, [](const Plan& p) { return p.tokens.unique; })
      ->tokens.unique;
}

/// By trying all cuts: the least that the costliest of `parts` parts of order[first..] can cost.
std::size_t best_possible(const Plan& plan, std::size_t first, std::size_t parts) {
  Plan piece = plan;
  std::size_t best = static_cast<std::size_t>(-1);
  for (std::size_t last = parts == 1 ? plan.order.size() : first; last <= plan.order.size();
       ++last) {
    piece.order.assign(plan.order.begin() + static_cast<std::ptrdiff_t>(first),
                       plan.order.begin() + static_cast<std::ptrdiff_t>(last));
    count_tokens(piece);
    const std::size_t rest = parts == 1 ? 0 : best_possible(plan, last, parts - 1);
    best = std::min(best, std::max(piece.tokens.unique, rest));
  }
  return best;
}

}  // namespace

TEST_CASE("the parts in their order are the whole plan") {
  base::PythonRandom random(3);
  for (const bool generates : {false, true}) {
    for (const std::size_t questions : {0u, 1u, 3u, 40u}) {
      const Plan plan = benchmark(random, questions, generates);
      for (const std::size_t count : {1u, 2u, 7u, 64u, 500u}) {
        std::vector<std::size_t> order, generations;
        for (const Plan& part : parts_of(plan, count)) {
          order.insert(order.end(), part.order.begin(), part.order.end());
          generations.insert(generations.end(), part.generations.begin(), part.generations.end());
        }
        CHECK(order == plan.order);
        CHECK(generations == plan.generations);
      }
    }
  }
}

TEST_CASE("a shard keeps the positions of all requests") {
  base::PythonRandom random(5);
  const Plan plan = benchmark(random, 10);
  const Plan part = shard(plan, {2, 3});
  REQUIRE(part.requests.size() == plan.requests.size());
  for (std::size_t i = 0; i < plan.requests.size(); ++i)
    CHECK(part.requests[i].tokens == plan.requests[i].tokens);
  CHECK(part.order.size() < plan.order.size());
}

TEST_CASE("a single shard is the plan") {
  base::PythonRandom random(8);
  const Plan plan = benchmark(random, 10);
  const Plan part = shard(plan, {1, 1});
  CHECK(part.order == plan.order);
  CHECK(part.tokens.unique == plan.tokens.unique);
  CHECK(part.tokens.requested == plan.tokens.requested);
  CHECK(part.longest == plan.longest);
}

TEST_CASE("the tokens asked for are shared out; a prefix that is cut counts twice") {
  base::PythonRandom random(13);
  const Plan plan = benchmark(random, 40);
  std::size_t requested = 0, unique = 0;
  for (const Plan& part : parts_of(plan, 5)) {
    requested += part.tokens.requested;
    unique += part.tokens.unique;
  }
  CHECK(requested == plan.tokens.requested);
  CHECK(unique > plan.tokens.unique);
  CHECK(unique <= plan.tokens.unique + 4 * plan.longest);
}

TEST_CASE("no cuts make the costliest part cheaper") {
  base::PythonRandom random(17);
  for (int n = 0; n < 20; ++n) {
    const Plan plan = benchmark(random, 1 + random.below(4));
    for (const std::size_t count : {1u, 2u, 3u})
      CHECK(costliest(parts_of(plan, count)) == best_possible(plan, 0, count));
  }
}

TEST_CASE("parts of many requests are about equal") {
  base::PythonRandom random(19);
  const Plan plan = benchmark(random, 400);
  std::size_t total = 0;
  const auto parts = parts_of(plan, 7);
  for (const Plan& part : parts) total += part.tokens.unique;
  CHECK(costliest(parts) * 7 < total * 11 / 10);
}

TEST_CASE("no part is empty while there are requests for it") {
  base::PythonRandom random(23);
  const Plan plan = benchmark(random, 3);
  for (const Plan& part : parts_of(plan, 7)) CHECK_FALSE(part.order.empty());
  const auto parts = parts_of(plan, 20);
  CHECK(std::ranges::count_if(parts, [](const Plan& p) { return p.order.size() == 1; }) == 12);
}

}  // namespace tare::plan
