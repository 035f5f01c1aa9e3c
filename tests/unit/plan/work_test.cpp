#include "plan/work.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tare::plan {
namespace {

EncodedRequest scored(std::size_t task, std::vector<core::Token> tokens, std::size_t first) {
  EncodedRequest made;
  made.task = task;
  made.first_scored = first;
  made.tokens = std::move(tokens);
  return made;
}

std::vector<core::BuiltTask> tasks(std::size_t count, std::size_t max_tokens = 1) {
  std::vector<core::BuiltTask> made(count);
  for (core::BuiltTask& task : made) task.generation.max_tokens = max_tokens;
  return made;
}

std::vector<Work> work_of(const Plan& plan, const std::vector<core::BuiltTask>& tasks) {
  return plan::work_of(plan, tasks, plan.order, plan.generations);
}

/// What each way through the tokens computes, position by position.
Work by_definition(const std::vector<EncodedRequest>& requests) {
  std::set<std::vector<core::Token>> computed, predicted;
  Work work;
  for (const EncodedRequest& request : requests) {
    for (std::size_t at = 0; at + 1 < request.tokens.size(); ++at) {
      const std::vector<core::Token> way(request.tokens.begin(), request.tokens.begin() + at + 1);
      if (computed.insert(way).second) {
        work.scored += 1;
        work.attended += at + 1;
      }
      if (at + 1 >= request.first_scored) work.logit_rows += predicted.insert(way).second ? 1 : 0;
    }
  }
  return work;
}

}  // namespace

TEST_CASE("choices share their context and its row of logits") {
  const Plan plan = make_plan({scored(0, {1, 2, 3, 4, 5}, 3), scored(0, {1, 2, 3, 6, 7}, 3)});
  const Work work = work_of(plan, tasks(1))[0];
  CHECK(work.scored == 3 + 1 + 1);
  CHECK(work.attended == 1 + 2 + 3 + 4 + 4);
  CHECK(work.logit_rows == 1 + 1 + 1);
  CHECK(work.tokens() == 5);
}

TEST_CASE("an answer's tokens attend to all before them, and its last one is not read") {
  EncodedRequest prompt = scored(0, {1, 2, 3}, 3);
  const Work work = work_of(make_plan({prompt}), tasks(1, 4))[0];
  CHECK(work.prompts == 3);
  CHECK(work.new_tokens == 4);
  CHECK(work.answers == 1);
  CHECK(work.tokens() == 6);
  CHECK(work.attended == 1 + 2 + 3 + 4 + 5 + 6);
  CHECK(work.logit_rows == 4);
}

TEST_CASE("the same as each way counted by itself") {
  std::vector<EncodedRequest> requests;
  for (core::Token i = 0; i < 200; ++i) {
    const std::vector<core::Token> tokens{i % 2, i % 3, i % 5, i % 7, i};
    requests.push_back(scored(i % 4, tokens, 1 + i % 4));
  }
  Work all;
  for (const Work& work : work_of(make_plan(requests), tasks(4))) all += work;
  const Work wanted = by_definition(requests);
  CHECK(all.scored == wanted.scored);
  CHECK(all.attended == wanted.attended);
  CHECK(all.logit_rows == wanted.logit_rows);
}

TEST_CASE("operations of two models by hand") {
  // Three tokens, of which one predicts.
  const Work work{.scored = 3, .attended = 1 + 2 + 3, .logit_rows = 1};
  // SmolLM2-135M: 2·(106168320·3 + 28311552·1 + 34560·6).
  CHECK(flops(work, {106'168'320, 28'311'552, 34'560}) == 694'047'744);
  // Gemma-3-270m: 2·(100270080·3 + 167772160·1 + 36864·6).
  CHECK(flops(work, {100'270'080, 167'772'160, 36'864}) == 937'607'168);
  CHECK(flops({}, {1, 1, 1}) == 0);
}

}  // namespace tare::plan
