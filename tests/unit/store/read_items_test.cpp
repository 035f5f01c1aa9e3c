#include "store/read_items.h"

#include <doctest/doctest.h>

#include "store/results.h"
#include "support/support.h"
#include "unit/store/records.h"

namespace tare {
namespace {

std::vector<store::SampledItem> read(const std::string& lines) {
  const test::TempDir folder;
  folder.write("samples_t.jsonl", lines);
  auto items = store::read_items(store::own_files(folder.path()), "t");
  REQUIRE_MESSAGE(items.has_value(), items.error().text);
  return std::move(*items);
}

}  // namespace

TEST_CASE("an item holds what was asked, answered and scored") {
  const core::TaskRecord task = test::small_run().tasks[0];
  const auto items = read(store::samples_jsonl(task));
  REQUIRE(items.size() == 2);
  REQUIRE(items[0].requests.size() == 2);
  const store::ItemRequest& request = items[0].requests[1];
  CHECK(request.context == "Q: Größe");
  CHECK(request.continuation == task.task.requests[1].continuation);
  REQUIRE(request.answers.size() == 1);
  CHECK(request.answers[0].log_likelihood == -0.1);
  CHECK(request.answers[0].tokens == task.responses[1].tokens);
  CHECK(request.answers[0].continuation == task.responses[1].continuation_tokens);
  CHECK(items[0].filters[0].metrics.size() == 2);
  CHECK_FALSE(items[0].generated);
  // The second request of the other item failed: no number, and why.
  const store::ItemAnswer& failed = items[1].requests[1].answers[0];
  CHECK_FALSE(failed.log_likelihood.has_value());
  CHECK_FALSE(failed.greedy.has_value());
  CHECK_FALSE(failed.failure.empty());
}

TEST_CASE("the lines of several filters are one item") {
  core::TaskRecord task = test::small_run().tasks[0];
  task.score.filters.push_back(task.score.filters[0]);
  task.score.filters.back().filter = "again";
  const auto items = read(store::samples_jsonl(task));
  REQUIRE(items.size() == 2);
  REQUIRE(items[1].filters.size() == 2);
  CHECK(items[1].filters[0].name == "none");
  CHECK(items[1].filters[1].name == "again");
}

TEST_CASE("lm-eval's lines have no block of tare") {
  const auto items = read(
      R"({"doc_id": 3, "doc": {"q": "2+5?"}, "target": "7", "arguments": {"gen_args_0": {"arg_0": "2+5?", )"
      R"("arg_1": {"until": ["\n"]}}}, "resps": [["It is 7.", "Or 8."]], "filtered_resps": ["7"], )"
      R"("filter": "f", "metrics": ["exact_match"], "doc_hash": "d", "prompt_hash": "p", )"
      R"("target_hash": "t", "exact_match": 1.0})"
      "\n");
  REQUIRE(items.size() == 1);
  CHECK(items[0].generated);
  REQUIRE(items[0].requests[0].answers.size() == 2);
  CHECK(items[0].requests[0].answers[1].text == "Or 8.");
  CHECK(items[0].requests[0].continuation.empty());
  CHECK(items[0].requests[0].answers[0].tokens.empty());
  CHECK(items[0].filters[0].left == std::vector<std::string>{"7"});
}

TEST_CASE("what lacks an id or metrics is no sample") {
  const test::TempDir folder;
  folder.write("samples_t.jsonl", "{\"doc_id\": 1}\n");
  const auto items = store::read_items(store::own_files(folder.path()), "t");
  REQUIRE_FALSE(items.has_value());
  CHECK(items.error().text.find(":1: is no sample") != std::string::npos);
  CHECK(store::has_samples(store::own_files(folder.path()), "t"));
  CHECK_FALSE(store::has_samples(store::own_files(folder.path()), "u"));
}

}  // namespace tare
