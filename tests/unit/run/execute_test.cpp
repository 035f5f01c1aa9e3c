#include "run/execute.h"

#include <doctest/doctest.h>

#include <stop_token>

#include "backend/scripted/scripted_backend.h"
#include "base/files.h"
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
  const auto responses = execute(f.plan, f.tasks, *f.backend, nullptr, {});
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
  const auto responses = execute(f.plan, f.tasks, *f.backend, nullptr, {});
  REQUIRE(responses);
  const auto* failure = std::get_if<core::RequestFailure>(&responses->at(0)[3].outcome);
  REQUIRE(failure != nullptr);
  CHECK(failure->reason == "the backend gave no answer");
}

TEST_CASE("each finished response is in the log, and progress counts up to all") {
  Fixture f;
  auto log = store::UnfinishedLog::create(f.folder.path(), {"scripted:x", {}, {"toy"}});
  REQUIRE(log);
  Progress last;
  const auto responses =
      execute(f.plan, f.tasks, *f.backend, &*log, {[&](const Progress& p) { last = p; }, {}});
  REQUIRE(responses);
  CHECK(last.requests_done == 3);
  CHECK(last.requests_total == 4);
  const auto text = base::read_file(log->path());
  REQUIRE(text);
  CHECK(std::count(text->begin(), text->end(), '\n') == 1 + 3);
}

TEST_CASE("a stop ends the run and keeps what was finished") {
  Fixture f;
  auto log = store::UnfinishedLog::create(f.folder.path(), {"scripted:x", {}, {"toy"}});
  REQUIRE(log);
  std::stop_source stop;
  const auto after_first = [&](const Progress&) { stop.request_stop(); };
  const auto responses =
      execute(f.plan, f.tasks, *f.backend, &*log, {after_first, stop.get_token()});
  REQUIRE_FALSE(responses);
  CHECK(responses.error().kind == base::ErrorKind::interrupted);
  const auto text = base::read_file(log->path());
  REQUIRE(text);
  CHECK(std::count(text->begin(), text->end(), '\n') == 1 + 1);
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

}  // namespace tare::run
