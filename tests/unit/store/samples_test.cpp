#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "store/results.h"
#include "unit/store/records.h"

namespace tare {
namespace {

using base::Value;

TEST_CASE("samples are written as the format page says") {
  const core::RunRecord run = test::small_run();
  test::check_text("samples_zoo.jsonl", store::samples_jsonl(run.tasks[0]));
  test::check_text("samples_last_word.jsonl", store::samples_jsonl(run.tasks[1]));
}

std::vector<Value> lines(const core::TaskRecord& task) {
  std::vector<Value> parsed;
  const std::string text = store::samples_jsonl(task);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    auto value = base::json::parse(text.substr(at, end - at));
    REQUIRE_MESSAGE(value.has_value(), value.error().text);
    parsed.push_back(*value);
    at = end + 1;
  }
  return parsed;
}

TEST_CASE("hashes are lm-eval's") {
  core::TaskRecord task = test::small_run().tasks[1];
  base::Dict document;
  document.set("q", "0+0=");
  document.set("a", "work. #### 0");
  task.task.documents[0] = document;
  task.task.golds[0].target = "0";
  const Value line = lines(task)[0];
  // Logged by lm-eval 0.4.13 for this document.
  CHECK(line.find("doc_hash")->as_string() ==
        "6859de93b825f8e9536a7c8f738ba0ff7c00925856dfda4102542b46a69cadef");
  CHECK(line.find("target_hash")->as_string() ==
        "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9");
  CHECK(line.find("prompt_hash")->as_string() == base::sha256_hex("one"));
}

TEST_CASE("the task hash is the hash of all lines' hashes") {
  const core::TaskRecord task = test::small_run().tasks[0];
  std::string joined;
  for (const Value& line : lines(task))
    for (const char* name : {"doc_hash", "prompt_hash", "target_hash"})
      joined += line.find(name)->as_string();
  CHECK(store::task_hash(task.task) == base::sha256_hex(joined));
}

TEST_CASE("a list is a target as Python prints it") {
  core::TaskRecord task = test::small_run().tasks[0];
  task.task.golds[0].target = base::List{0, "it's"};
  CHECK(lines(task)[0].find("target")->as_string() == "[0, \"it's\"]");
}

TEST_CASE("shared context and rest of each request make up its tokens") {
  const core::TaskRecord task = test::small_run().tasks[0];
  std::size_t place = 0;
  for (const Value& line : lines(task)) {
    const Value& own = *line.find("tare");
    for (const Value& response : own.find("responses")->items()) {
      base::List tokens = own.find("shared_context")->items();
      for (const Value& token : response.find("tokens")->items()) tokens.push_back(token);
      const auto& expected = task.responses[place++].tokens;
      CHECK(tokens == base::List(expected.begin(), expected.end()));
    }
  }
  CHECK(place == 4);
}

TEST_CASE("contexts that differ share only their common start") {
  core::TaskRecord task = test::small_run().tasks[0];
  task.responses[1].tokens[1] = 77;
  CHECK(lines(task)[0].find("tare")->find("shared_context")->items() == base::List{1});
  task.responses[1].tokens.clear();
  CHECK(lines(task)[0].find("tare")->find("shared_context")->items().empty());
}

TEST_CASE("a pair of labels becomes a list") {
  core::TaskRecord task = test::small_run().tasks[0];
  task.score.filters[0].documents[0].metrics = {{"f1", Value::tuple({1, 0})}};
  CHECK(*lines(task)[0].find("f1") == Value(base::List{1, 0}));
}

}  // namespace
}  // namespace tare
