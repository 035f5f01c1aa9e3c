#include "plan/savings.h"

#include <doctest/doctest.h>

namespace tare::plan {
namespace {

EncodedRequest request(std::size_t task, std::vector<core::Token> tokens) {
  EncodedRequest made;
  made.task = task;
  made.first_scored = tokens.size() - 1;
  made.tokens = std::move(tokens);
  return made;
}

TEST_CASE("each task's tokens, and those that no request before it has") {
  const Plan plan = make_plan({request(0, {1, 2, 3, 4}), request(0, {1, 2, 3, 5}),
                               request(1, {1, 2, 6, 7}), request(1, {8, 9})});
  const std::vector<Savings> tasks = savings(plan, 3);
  CHECK(tasks[0].requested == 6);
  CHECK(tasks[0].unique == 3);
  CHECK(tasks[0].saved() == doctest::Approx(0.5));
  CHECK(tasks[1].requested == 4);
  CHECK(tasks[1].unique == 2);
  CHECK(tasks[2].requested == 0);
  CHECK(tasks[2].saved() == 0);
}

TEST_CASE("the tasks' tokens add up to the plan's") {
  std::vector<EncodedRequest> requests;
  for (core::Token i = 0; i < 60; ++i)
    requests.push_back(request(i % 3, {i % 2, i % 5, i % 7, i, 1}));
  for (core::Token i = 0; i < 9; ++i) {
    requests.push_back(request(2, {1, 1, i % 4, i}));
    requests.back().first_scored = 4;  // to be generated from
  }
  const Plan plan = make_plan(requests);
  std::size_t requested = 0, unique = 0;
  for (const Savings& task : savings(plan, 3)) {
    requested += task.requested;
    unique += task.unique;
  }
  CHECK(requested == plan.tokens.requested);
  CHECK(unique == plan.tokens.unique);
}

}  // namespace
}  // namespace tare::plan
