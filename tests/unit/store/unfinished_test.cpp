#include "store/unfinished.h"

#include <doctest/doctest.h>

#include "base/files.h"
#include "base/json.h"
#include "support/support.h"

namespace tare {
namespace {

namespace fs = std::filesystem;
using base::Value;

store::UnfinishedHeader header(const std::string& model = "gguf:a.gguf") {
  base::Dict settings;
  settings.set("limit", 5.0);
  return {model, settings, {"arc_easy", "piqa"}};
}

store::UnfinishedLog started(const fs::path& folder) {
  auto log = store::UnfinishedLog::create(folder, header());
  REQUIRE_MESSAGE(log.has_value(), log.error().text);
  return std::move(*log);
}

store::FinishedResponse finished(std::size_t index) {
  core::Response response;
  response.outcome = core::LogLikelihood{-1.0 / 3, true};
  response.context_tokens = 12;
  response.continuation_tokens = 2;
  response.tokens = {1, 2, 3};
  return {"arc_easy", 40, index, 0, response};
}

std::string text(const store::UnfinishedLog& log) {
  auto bytes = base::read_file(log.path());
  REQUIRE_MESSAGE(bytes.has_value(), bytes.error().text);
  return *bytes;
}

Value first_line(const std::string& lines) {
  auto value = base::json::parse(lines.substr(0, lines.find('\n')));
  REQUIRE_MESSAGE(value.has_value(), value.error().text);
  return *value;
}

TEST_CASE("the header says what was asked for") {
  const test::TempDir folder;
  const auto log = started(folder.path() / "new");
  CHECK(log.path() == folder.path() / "new/unfinished.jsonl");
  const Value line = first_line(text(log));
  CHECK(line.find("schema_version")->as_int() == 2);
  CHECK(line.find("model")->as_string() == "gguf:a.gguf");
  CHECK(line.find("settings")->find("limit")->as_real() == 5.0);
  CHECK(*line.find("tasks") == Value(base::List{"arc_easy", "piqa"}));
}

TEST_CASE("the hash tells runs of different settings apart") {
  const test::TempDir folder;
  const auto hash = [&](const store::UnfinishedHeader& of) {
    const auto log = store::UnfinishedLog::create(folder.path(), of);
    return first_line(text(*log)).find("settings_hash")->as_string();
  };
  CHECK(hash(header()).size() == 64);
  CHECK(hash(header()) == hash(header()));
  CHECK(hash(header()) != hash(header("gguf:b.gguf")));
}

TEST_CASE("responses can be read as soon as they are appended") {
  const test::TempDir folder;
  auto log = started(folder.path());
  const std::size_t start = text(log).size();
  const std::vector<store::FinishedResponse> batch{finished(0), finished(3)};
  REQUIRE(log.append(batch).has_value());
  CHECK(
      text(log).substr(start) ==
      R"({"task": "arc_easy", "doc_id": 40, "index": 0, "repetition": 0, "log_likelihood": -0.3333333333333333, )"
      R"("greedy": true, "context_tokens": 12, "continuation_tokens": 2, "truncated_tokens": 0})"
      "\n"
      R"({"task": "arc_easy", "doc_id": 40, "index": 3, "repetition": 0, "log_likelihood": -0.3333333333333333, )"
      R"("greedy": true, "context_tokens": 12, "continuation_tokens": 2, "truncated_tokens": 0})"
      "\n");
}

TEST_CASE("a failure is logged with its reason") {
  const test::TempDir folder;
  auto log = started(folder.path());
  const std::size_t start = text(log).size();
  store::FinishedResponse broken = finished(1);
  broken.response.outcome = core::RequestFailure{"out of memory"};
  REQUIRE(log.append(std::span(&broken, 1)).has_value());
  const Value line = first_line(text(log).substr(start));
  CHECK(line.find("failure")->as_string() == "out of memory");
  CHECK(line.find("log_likelihood") == nullptr);
}

TEST_CASE("the file goes away when the run ends and stays when it is stopped") {
  const test::TempDir folder;
  { const auto stopped = started(folder.path()); }
  CHECK(fs::exists(folder.path() / "unfinished.jsonl"));
  auto log = started(folder.path());
  REQUIRE(log.finish().has_value());
  CHECK_FALSE(fs::exists(folder.path() / "unfinished.jsonl"));
}

TEST_CASE("what an earlier run finished is set aside, not lost") {
  const test::TempDir folder;
  std::string earlier;
  {
    auto log = started(folder.path());
    REQUIRE(log.append(std::vector{finished(0)}));
    earlier = text(log);
  }
  { const auto second = started(folder.path()); }
  const auto third = started(folder.path());
  CHECK(base::read_file(folder.path() / "unfinished-1.jsonl").value() == earlier);
  CHECK(fs::exists(folder.path() / "unfinished-2.jsonl"));
  CHECK(text(third).find("doc_id") == std::string::npos);
}

TEST_CASE("a file that cannot be made is an error with its path") {
  const test::TempDir folder;
  fs::create_directory(folder.path() / "unfinished.jsonl");
  const auto log = store::UnfinishedLog::create(folder.path(), header());
  REQUIRE_FALSE(log.has_value());
  CHECK(log.error().text.find("unfinished.jsonl: cannot create it: Is a directory") !=
        std::string::npos);
}

TEST_CASE("a disk that is full is an error, not a loss") {
  if (!fs::exists("/dev/full")) return test::skip("/dev/full is not there");
  const test::TempDir folder;
  fs::create_symlink("/dev/full", folder.path() / "unfinished.jsonl");
  const auto log = store::UnfinishedLog::create(folder.path(), header());
  REQUIRE_FALSE(log.has_value());
  CHECK(log.error().text.find("No space left on device") != std::string::npos);
}

TEST_CASE("a folder with results holds a finished run") {
  const test::TempDir folder;
  CHECK_FALSE(*store::holds_finished_run(folder.path()));
  CHECK_FALSE(*store::holds_finished_run(folder.path() / "nothing"));
  folder.write("results.json", "{}");
  CHECK(*store::holds_finished_run(folder.path()));
}

}  // namespace
}  // namespace tare
