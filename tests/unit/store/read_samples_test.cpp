#include "store/read_samples.h"

#include <doctest/doctest.h>

#include "store/results.h"
#include "support/support.h"
#include "unit/store/records.h"

namespace tare {
namespace {

using store::SampledRequest;

std::string fault(const std::string& text) {
  const test::TempDir folder;
  folder.write("samples_t.jsonl", text);
  const auto read = store::read_samples(store::own_files(folder.path()), "t");
  if (read) return "";
  std::string fault = read.error().text;
  return fault.substr(fault.rfind('/') + 1);
}

}  // namespace

TEST_CASE("the requests of a run are read back from its samples, each once") {
  core::RunRecord run = test::small_run();
  core::TaskRecord& zoo = run.tasks[0];
  zoo.score.filters.push_back(zoo.score.filters[0]);
  zoo.score.filters.back().filter = "again";
  const test::TempDir folder;
  folder.write("samples_zoo.jsonl", store::samples_jsonl(zoo));
  const auto read = store::read_samples(store::own_files(folder.path()), "zoo");
  REQUIRE_MESSAGE(read.has_value(), read.error().text);
  REQUIRE(read->size() == zoo.task.requests.size());
  for (std::size_t i = 0; i < read->size(); ++i) {
    const SampledRequest& one = (*read)[i];
    const core::Request& asked = zoo.task.requests[i];
    CHECK(one.task == "zoo");
    CHECK(one.doc_id == static_cast<std::int64_t>(zoo.task.doc_ids[asked.document]));
    CHECK(one.index == asked.index);
    CHECK(one.context == asked.context);
    CHECK(one.continuation == asked.continuation);
    CHECK(one.tokens == zoo.responses[i].tokens);
    CHECK(one.truncated == zoo.responses[i].truncated_tokens);
  }
}

TEST_CASE("where the backend showed no token ids there are none") {
  core::TaskRecord zoo = test::small_run().tasks[0];
  zoo.token_ids = false;
  const test::TempDir folder;
  const std::string text = store::samples_jsonl(zoo);
  folder.write("samples_zoo.jsonl", text);
  for (const char* name :
       {"\"shared_context\": null", "\"context_tokens\": null", "\"continuation_tokens\": null",
        "\"truncated_tokens\": null", "\"tokens\": null"})
    CHECK(text.find(name) != std::string::npos);
  const auto read = store::read_samples(store::own_files(folder.path()), "zoo");
  REQUIRE(read.has_value());
  for (const SampledRequest& one : *read) CHECK_FALSE(one.tokens.has_value());
}

TEST_CASE("the first of several answers stands for its request") {
  core::TaskRecord task = test::small_run().tasks[1];
  task.task.repeats = 2;
  const std::vector<core::Response> once = task.responses;
  task.responses = {once[0], once[0], once[1], once[1]};
  const test::TempDir folder;
  folder.write(store::samples_file_name(task.task.name), store::samples_jsonl(task));
  const auto read = store::read_samples(store::own_files(folder.path()), task.task.name);
  REQUIRE(read.has_value());
  REQUIRE(read->size() == 2);
  CHECK((*read)[1].tokens == once[1].tokens);
}

TEST_CASE("samples of lm-eval have no token ids") {
  const test::TempDir folder;
  folder.write("samples_t.jsonl",
               R"({"doc_id": 3, "arguments": {"gen_args_0": {"arg_0": "Q", "arg_1": " A"}}})");
  const auto read = store::read_samples(store::own_files(folder.path()), "t");
  REQUIRE(read.has_value());
  REQUIRE(read->size() == 1);
  CHECK((*read)[0].doc_id == 3);
  CHECK((*read)[0].continuation == " A");
  CHECK_FALSE((*read)[0].tokens.has_value());
}

TEST_CASE("what is no sample is refused with its line") {
  const std::string good = R"({"doc_id": 0, "arguments": {}})";
  CHECK(fault(good + "\n") == "");
  for (const char* bad :
       {"{", "7", "{}", R"({"doc_id": "0", "arguments": {}})", R"({"doc_id": 1, "arguments": []})"})
    CHECK(fault(good + "\n" + bad + "\n").starts_with("samples_t.jsonl:2: is no sample"));
  CHECK(fault(good + "\n[1,") ==
        "samples_t.jsonl:2: is no sample: line 1, column 4: found the end of the text, wanted a "
        "JSON value; wanted a line that tare or lm-eval wrote");
  const test::TempDir empty;
  CHECK(store::read_samples(store::own_files(empty.path()), "t").error().text ==
        empty.path().string() +
            ": holds no samples_t.jsonl; wanted a run with samples (without --no-samples)");
}

}  // namespace tare
