#include "run/workload.h"

#include <doctest/doctest.h>

namespace tare::run {
namespace {

plan::EncodedRequest request(std::vector<core::Token> tokens, std::size_t first_scored) {
  plan::EncodedRequest made;
  made.tokens = std::move(tokens);
  made.first_scored = first_scored;
  return made;
}

/// Three requests to score, of which two begin alike, and a prompt.
plan::Plan toy_plan() {
  std::vector<plan::EncodedRequest> requests{request({1, 2, 3, 4}, 3), request({1, 2, 3, 5, 6}, 3),
                                             request({7, 8}, 1), request({1, 2, 3}, 3)};
  return plan::make_plan(std::move(requests));
}

}  // namespace

TEST_CASE("work is counted in tokens that no request before had") {
  const plan::Plan plan = toy_plan();
  REQUIRE(plan.order == std::vector<std::size_t>{0, 1, 2});
  REQUIRE(plan.generations == std::vector<std::size_t>{3});
  std::vector<core::BuiltTask> tasks(1);
  tasks[0].generation.max_tokens = 50;
  Workload work(plan, tasks, plan.order, plan.generations);
  CHECK(work.progress().phase == Phase::score);
  CHECK(work.progress().requests_total == 4);
  CHECK(work.progress().scored_total == 3 + 1 + 1);
  CHECK(work.progress().prompts_total == 3);
  CHECK(work.progress().generated_most == 50);

  work.finish_scored(1);
  CHECK(work.progress().scored_done == 1);
  CHECK(work.progress().asked_done == 4);
  work.finish_scored(0);
  CHECK(work.progress().scored_done == 4);
  work.note_computed({5, 0, 0});
  CHECK(work.progress().scored_done == 5);
  work.note_computed({9, 0, 0});  // what was computed twice is no progress
  CHECK(work.progress().scored_done == 5);
  work.note_computed({.inputs = 9, .work = 30, .planned = 40, .projection = 0.5});
  CHECK(work.progress().work_done == 30);
  CHECK(work.progress().work_total == 40);
  CHECK(work.progress().projection == 0.5);
  work.begin_generation();
  CHECK(work.progress().work_done == 40);
  work.note_computed({2, 35, 64});
  CHECK(work.progress().growing == 35);
  CHECK(work.progress().prompts_done == 2);
  CHECK(work.progress().places == 64);
  work.finish_generated(3, 20);
  CHECK(work.progress().growing == 15);
  CHECK(work.progress().phase == Phase::generate);
  CHECK(work.progress().prompts_done == 3);
  CHECK(work.progress().answers_done == 1);
  CHECK(work.progress().generated == 20);
  CHECK(work.progress().requests_done == 3);
}

TEST_CASE("answers that are known are no work, and their tokens fall to others") {
  const plan::Plan plan = toy_plan();
  std::vector<core::BuiltTask> tasks(1);
  const Workload work(plan, tasks, {1}, {});
  CHECK(work.progress().requests_total == 1);
  CHECK(work.progress().scored_total == 4);
}

}  // namespace tare::run
