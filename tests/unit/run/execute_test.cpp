#include "run/execute.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>

#include "backend/scripted/scripted_backend.h"
#include "support/support.h"

namespace tare::run {
namespace {

constexpr const char* kScript = R"({"context_length": 40, "rules": [
  {"continuation": " yes", "log_likelihood": -1.5, "greedy": true},
  {"continuation": " no", "context_contains": "sky", "log_likelihood": -2.5}]})";

/// Two documents with the choices " yes" and " no"; the script knows no answer to the last one.
core::BuiltTask toy_task() {
  core::BuiltTask task;
  task.name = "toy";
  task.doc_ids = {0, 1};
  for (std::size_t doc = 0; doc < 2; ++doc)
    for (std::size_t choice = 0; choice < 2; ++choice)
      task.requests.push_back({doc, choice, doc == 0 ? "Is the sky blue?" : "Is grass red?",
                               choice == 0 ? " yes" : " no"});
  return task;
}

struct Fixture {
  test::TempDir folder;
  std::vector<core::BuiltTask> tasks{toy_task()};
  std::unique_ptr<backend::Backend> backend;
  plan::Plan plan;

  Fixture() {
    auto opened = backend::scripted::open(folder.write("script.json", kScript).string());
    REQUIRE(opened);
    backend = std::move(*opened);
    auto encoded =
        plan::encode_requests(tasks, backend->tokenizer(), {40, plan::Overlength::fail, 0});
    REQUIRE(encoded);
    plan = plan::make_plan(std::move(*encoded));
  }
};

}  // namespace

TEST_CASE("results go back to their requests whatever the order of work") {
  Fixture f;
  std::reverse(f.plan.order.begin(), f.plan.order.end());
  const auto responses = execute(f.plan, f.tasks, *f.backend, {}, {});
  REQUIRE(responses);
  const auto& task = responses->at(0);
  REQUIRE(task.size() == 4);
  CHECK(std::get<core::LogLikelihood>(task[0].outcome).sum == -1.5);
  CHECK(std::get<core::LogLikelihood>(task[0].outcome).greedy);
  CHECK(std::get<core::LogLikelihood>(task[1].outcome).sum == -2.5);
  CHECK(task[1].context_tokens == 16);
  CHECK(task[1].continuation_tokens == 3);
}

TEST_CASE("a request without an answer is recorded as failed, with the reason") {
  Fixture f;
  const auto responses = execute(f.plan, f.tasks, *f.backend, {}, {});
  REQUIRE(responses);
  const auto* failure = std::get_if<core::RequestFailure>(&responses->at(0)[3].outcome);
  REQUIRE(failure != nullptr);
  CHECK(failure->reason == "the backend gave no answer");
}

TEST_CASE("a backend's own reason is the reason of the failure, and is counted") {
  Fixture f;
  const auto script = f.folder.write("failing.json", R"({"rules": [
      {"continuation": " no", "failure": "HTTP 503 after 3 attempts"}, {"log_likelihood": -1}]})");
  auto failing = backend::scripted::open(script.string());
  REQUIRE(failing);
  Progress last;
  std::size_t kept = 0;
  Answers answers;
  answers.keep = [&](std::span<const core::Answered> fresh) -> base::Status {
    kept += fresh.size();
    return {};
  };
  std::vector<core::Failed> failed;
  answers.note_failed = [&](std::span<const core::Failed> all) -> base::Status {
    failed.assign(all.begin(), all.end());
    return {};
  };
  const auto responses =
      execute(f.plan, f.tasks, **failing, answers, {[&](const Progress& p) { last = p; }, {}});
  REQUIRE(responses);
  const auto* failure = std::get_if<core::RequestFailure>(&responses->at(0)[1].outcome);
  REQUIRE(failure != nullptr);
  CHECK(failure->reason == "HTTP 503 after 3 attempts");
  CHECK(last.requests_done == 4);
  CHECK(last.requests_failed == 2);
  CHECK(kept == 2);
  REQUIRE(failed.size() == 2);
  CHECK(std::min(failed[0].position, failed[1].position) == 1);
  CHECK(std::max(failed[0].position, failed[1].position) == 3);
  CHECK(failed[0].failure.reason == "HTTP 503 after 3 attempts");
}

namespace {

/// Keeps what it is given, and can refuse.
struct Keeper {
  std::vector<core::Answered> kept;
  bool full = false;
  Answers answers(std::vector<core::Answered> known = {}) {
    Answers answers;
    answers.known = std::move(known);
    answers.keep = [this](std::span<const core::Answered> fresh) -> base::Status {
      if (full) return base::work_failed("the disk is full");
      kept.insert(kept.end(), fresh.begin(), fresh.end());
      return {};
    };
    return answers;
  }
};

const core::LogLikelihood& score_of(const core::Response& response) {
  return std::get<core::LogLikelihood>(response.outcome);
}

}  // namespace

TEST_CASE("each answer is kept, a failure is not, and progress counts up to all") {
  Fixture f;
  Keeper keeper;
  Progress last;
  const auto responses = execute(f.plan, f.tasks, *f.backend, keeper.answers(),
                                 {[&](const Progress& p) { last = p; }, {}});
  REQUIRE(responses);
  CHECK(last.requests_done == 3);
  CHECK(last.requests_total == 4);
  CHECK(keeper.kept.size() == 3);
  for (const core::Answered& answered : keeper.kept) CHECK(answered.position != 3);
}

TEST_CASE("an answer counts only once it is kept") {
  Fixture f;
  Keeper keeper;
  std::size_t calls = 0;
  const auto check = [&](const Progress& p) {
    ++calls;
    CHECK(p.requests_done == keeper.kept.size());
  };
  REQUIRE(execute(f.plan, f.tasks, *f.backend, keeper.answers(), {check, {}}));
  CHECK(calls > 0);
}

TEST_CASE("what is known is not asked again") {
  Fixture f;
  Keeper keeper;
  const core::LogLikelihood other{-7, true};
  Progress last;
  const auto responses =
      execute(f.plan, f.tasks, *f.backend, keeper.answers({{0, other}, {3, other}}),
              {[&](const Progress& p) { last = p; }, {}});
  REQUIRE(responses);
  CHECK(score_of(responses->at(0)[0]).sum == -7);
  CHECK(score_of(responses->at(0)[1]).sum == -2.5);
  CHECK(score_of(responses->at(0)[3]).greedy);
  CHECK(keeper.kept.size() == 2);
  CHECK(last.requests_total == 2);
  // "Is " is common to the two that are asked.
  CHECK(last.scored_total == f.plan.requests[1].inputs() + f.plan.requests[2].inputs() - 3);
}

TEST_CASE("what is known to have failed is not asked, and keeps its reason") {
  Fixture f;
  Answers answers;
  answers.failed = {{0, {"HTTP 503"}}};
  Progress last;
  const auto responses =
      execute(f.plan, f.tasks, *f.backend, answers, {[&](const Progress& p) { last = p; }, {}});
  REQUIRE(responses);
  CHECK(last.requests_total == 3);
  CHECK(std::get<core::RequestFailure>(responses->at(0)[0].outcome).reason == "HTTP 503");
  answers.failed = {{4, {"HTTP 503"}}};
  CHECK_FALSE(execute(f.plan, f.tasks, *f.backend, answers, {}));
}

TEST_CASE("with all answers known nothing is asked") {
  Fixture f;
  Keeper keeper;
  REQUIRE(execute(f.plan, f.tasks, *f.backend, keeper.answers(), {}));
  Keeper second;
  auto known = keeper.kept;
  known.push_back({3, core::LogLikelihood{-9, false}});
  const auto responses = execute(f.plan, f.tasks, *f.backend, second.answers(known), {});
  REQUIRE(responses);
  CHECK(second.kept.empty());
  CHECK(score_of(responses->at(0)[3]).sum == -9);
}

TEST_CASE("a known answer that the plan does not ask for is an error") {
  Fixture f;
  for (const core::Answered& wrong : std::vector<core::Answered>{
           {4, core::LogLikelihood{}}, {0, core::Generated{"text", {}, {}}}}) {
    Answers answers;
    answers.known = {wrong};
    const auto responses = execute(f.plan, f.tasks, *f.backend, answers, {});
    REQUIRE_FALSE(responses);
    CHECK(responses.error().kind == base::ErrorKind::input);
  }
}

TEST_CASE("where answers cannot be kept the work ends with that reason") {
  Fixture f;
  Keeper keeper;
  keeper.full = true;
  bool progressed = false;
  const auto responses =
      execute(f.plan, f.tasks, *f.backend, keeper.answers(),
              {[&](const Progress& p) { progressed |= p.requests_done > 0; }, {}});
  REQUIRE_FALSE(responses);
  CHECK(responses.error().text == "the disk is full");
  CHECK_FALSE(progressed);
}

TEST_CASE("a stop ends the run and keeps what was finished") {
  Fixture f;
  Keeper keeper;
  std::stop_source stop;
  const auto after_first = [&](const Progress& p) {
    if (p.requests_done > 0) stop.request_stop();
  };
  const auto responses =
      execute(f.plan, f.tasks, *f.backend, keeper.answers(), {after_first, stop.get_token()});
  REQUIRE_FALSE(responses);
  CHECK(responses.error().kind == base::ErrorKind::interrupted);
  CHECK(keeper.kept.size() == 1);
}

TEST_CASE("faults of a script name the file and the place") {
  test::TempDir folder;
  const auto open = [&](const char* text) {
    return backend::scripted::open(folder.write("s.json", text).string()).error().text;
  };
  const std::string path = (folder.path() / "s.json").string();
  CHECK(open("{}") == path + ": rules is missing or no list of objects");
  CHECK(open(R"({"rules": [{}]})") ==
        path +
            ": rules[0]: log_likelihood is missing or no number, and there is no text to generate");
  CHECK(open(R"({"rules": [{"continuation": 3, "log_likelihood": 1}]})") ==
        path + ": rules[0]: continuation is 3, wanted text");
}

namespace {

/// One prompt that is asked three times, by the backend's own defaults.
core::BuiltTask toy_answers(core::GenerationParameters parameters) {
  core::BuiltTask task;
  task.name = "answers";
  task.output_type = core::OutputType::generate_until;
  task.doc_ids = {0};
  task.requests = {{0, 0, "Say hello:", ""}};
  task.repeats = 3;
  task.generation.parameters = parameters;
  return task;
}

struct Ran {
  std::vector<core::Response> responses;
  Progress last;
};

Ran ran(const core::BuiltTask& task, const char* script) {
  const test::TempDir folder;
  auto backend = backend::scripted::open(folder.write("s.json", script).string());
  REQUIRE(backend);
  auto encoded = plan::encode_requests({&task, 1}, (*backend)->tokenizer(), {});
  REQUIRE(encoded);
  const plan::Plan plan = plan::make_plan(std::move(*encoded));
  Ran ran;
  auto responses =
      execute(plan, {&task, 1}, **backend, {}, {[&](const Progress& p) { ran.last = p; }, {}});
  REQUIRE(responses);
  ran.responses = std::move(responses->at(0));
  return ran;
}

constexpr const char* kHello = R"({"rules": [{"text": " hello"}]})";
constexpr const char* kWithoutTokens =
    R"({"capabilities": {"token_ids": false}, "rules": [{"text": " hello"}]})";

}  // namespace

TEST_CASE("answers that may differ are asked one by one, others once for all repetitions") {
  using core::GenerationParameters;
  CHECK(ran(toy_answers(GenerationParameters::given), kHello).last.answers_total == 1);
  for (const auto parameters :
       {GenerationParameters::given_length, GenerationParameters::backend}) {
    const Ran asked = ran(toy_answers(parameters), kHello);
    CHECK(asked.last.answers_total == 3);
    CHECK(asked.last.answers_done == 3);
    REQUIRE(asked.responses.size() == 3);
    for (const core::Response& response : asked.responses) CHECK(response.answer == " hello");
  }
}

TEST_CASE("where a backend shows no tokens, work is counted in bytes and said to be") {
  const auto task = toy_answers(core::GenerationParameters::given);
  CHECK_FALSE(ran(task, kHello).last.bytes);
  const Ran asked = ran(task, kWithoutTokens);
  CHECK(asked.last.bytes);
  CHECK(asked.last.generated == 6);
  CHECK(asked.last.prompts_done == 10);
}

}  // namespace tare::run
