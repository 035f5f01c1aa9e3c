#include "plan/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/python_random.h"

namespace tare::plan {
namespace {

EncodedRequest request(std::vector<core::Token> tokens, std::size_t position = 0) {
  EncodedRequest encoded;
  encoded.request = position;
  encoded.tokens = std::move(tokens);
  encoded.first_scored = encoded.tokens.size() - 1;
  return encoded;
}

/// The definition: the number of distinct non-empty prefixes of the inputs.
std::size_t distinct_prefixes(const std::vector<EncodedRequest>& requests) {
  std::set<std::vector<core::Token>> prefixes;
  for (const EncodedRequest& r : requests)
    for (std::size_t n = 1; n < r.tokens.size(); ++n)
      prefixes.emplace(r.tokens.begin(), r.tokens.begin() + static_cast<std::ptrdiff_t>(n));
  return prefixes.size();
}

std::vector<EncodedRequest> random_requests(base::PythonRandom& random, std::size_t count) {
  std::vector<EncodedRequest> requests;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<core::Token> tokens(2 + random.below(6));
    for (core::Token& token : tokens) token = static_cast<core::Token>(random.below(3));
    requests.push_back(request(std::move(tokens), i));
  }
  return requests;
}

}  // namespace

TEST_CASE("unique tokens equal the number of distinct prefixes") {
  base::PythonRandom random(7);
  for (std::size_t count : {1u, 2u, 5u, 40u, 200u}) {
    const auto requests = random_requests(random, count);
    CHECK(make_plan(requests).tokens.unique == distinct_prefixes(requests));
  }
}

TEST_CASE("every request is in the order once, and the plan's requests keep their places") {
  base::PythonRandom random(11);
  const auto requests = random_requests(random, 100);
  const Plan plan = make_plan(requests);
  std::vector<std::size_t> sorted = plan.order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::size_t> all(100);
  std::iota(all.begin(), all.end(), 0);
  CHECK(sorted == all);
  for (std::size_t i = 0; i < 100; ++i) CHECK(plan.requests[i].request == i);
}

TEST_CASE("the subtree with the longest request comes first") {
  const Plan plan =
      make_plan({request({1, 2}), request({3, 4}), request({3, 4, 5, 6}), request({2, 9})});
  CHECK(plan.order.size() == 4);
  CHECK(plan.requests[plan.order[0]].tokens.front() == 3);
  CHECK(plan.requests[plan.order[1]].tokens.front() == 3);
  CHECK(plan.longest == 4);
}

TEST_CASE("skipped requests are neither ordered nor counted") {
  auto skipped = request({1, 2, 3});
  skipped.skipped = true;
  const Plan plan = make_plan({skipped, request({1, 2})});
  CHECK(plan.order == std::vector<std::size_t>{1});
  CHECK(plan.tokens.requested == 1);
}

TEST_CASE("an empty plan") {
  const Plan plan = make_plan({});
  CHECK(plan.order.empty());
  CHECK(plan.tokens.unique == 0);
}

}  // namespace tare::plan
