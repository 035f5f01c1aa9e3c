#include <doctest/doctest.h>

#include "base/files.h"
#include "base/json.h"
#include "store/execution.h"
#include "store/journal.h"
#include "store/planned.h"
#include "store/results.h"
#include "store/run_state.h"
#include "store/sqlite.h"
#include "store/validation.h"
#include "support/support.h"
#include "unit/store/records.h"

namespace tare {
namespace {

using base::Value;

std::string page(const std::string& name) {
  auto text = base::read_file(test::source_dir() / "docs/formats" / name);
  REQUIRE_MESSAGE(text.has_value(), text.error().text);
  return *text;
}

Value parsed(const std::string& text) {
  auto value = base::json::parse(text);
  REQUIRE_MESSAGE(value.has_value(), value.error().text);
  return *value;
}

/// Each key must stand on the page in backquotes, alone or as a part of a dotted path.
void check_named(const std::string& text, const Value& dict) {
  const auto has = [&](const std::string& written) { return text.find(written) != text.npos; };
  for (const auto& [name, value] : dict.as_dict()) {
    const std::string& key = name.as_string();
    CAPTURE(key);
    CHECK((has("`" + key + "`") || has("." + key + "`") || has("`" + key + ".")));
  }
}

TEST_CASE("the page on results.json names every field") {
  const std::string text = page("results.md");
  const Value results = parsed(store::results_json(test::small_run()));
  check_named(text, results);
  check_named(text, *results.find("config"));
  check_named(text, *results.find("n-samples")->find("zoo"));
  const Value& own = *results.find("tare");
  check_named(text, own);
  check_named(text, *own.find("model"));
  check_named(text, *own.find("tokens"));
  check_named(text, *own.find("tasks")->find("zoo"));
  check_named(text, own.find("warnings")->items()[0]);
}

TEST_CASE("the page on execution.json names every field") {
  const std::string text = page("execution.md");
  const Value execution = parsed(store::execution_json(test::small_execution()));
  check_named(text, execution);
  for (const char* part : {"timings_seconds", "answers", "tokens", "machine", "backend", "budget"})
    check_named(text, *execution.find(part));
  check_named(text, *execution.find("budget")->find("real"));
  check_named(text, execution.find("warnings")->items()[0]);
}

TEST_CASE("the page on samples names every field") {
  const std::string text = page("samples.md");
  core::TaskRecord task = test::small_run().tasks[0];
  task.score.filters = {
      {"none", std::vector<Value>(task.task.requests.size()), {{{}, true}, {{}, true}}}};
  const std::string lines = store::samples_jsonl(task);
  const std::size_t second = lines.find('\n') + 1;
  const Value line = parsed(lines.substr(second, lines.size() - second - 1));
  check_named(text, line);
  check_named(text, *line.find("tare"));
  for (const Value& response : line.find("tare")->find("responses")->items())
    check_named(text, response);
}

TEST_CASE("the page on the journal names every column") {
  const std::string text = page("journal.md");
  const test::TempDir folder;
  REQUIRE(store::Journal::open(folder.path(), {}).has_value());
  auto database = store::sqlite::Database::open({folder.path() / "journal.sqlite", ""}, false);
  REQUIRE(database.has_value());
  auto columns =
      database->prepare("SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c");
  REQUIRE(columns.has_value());
  std::size_t count = 0;
  for (; *columns->step(); ++count) {
    CAPTURE(columns->text(1));
    CHECK(text.find("Table `" + columns->text(0) + "`") != std::string::npos);
    CHECK(text.find("`" + columns->text(1) + "`") != std::string::npos);
  }
  CHECK(count == 8 + 6 + 2);
}

TEST_CASE("the page on runs without results names every field") {
  check_named(page("show.md"), store::run_state_document({}, {}));
}

TEST_CASE("the page on validations names every field") {
  const std::string text = page("validation.md");
  store::Validation validation;
  validation.task = "zoo";
  validation.built = test::small_run().tasks[0].task;
  const Value good = store::validation_line(validation);
  CHECK(good.find("docs")->items().size() == validation.built.documents.size());
  check_named(text, good);
  validation.outcome = store::Outcome::faulty;
  validation.faults = {{"task zoo: doc_to_text: document 3: no", 2, {3, 4}}};
  const Value bad = store::validation_line(validation);
  check_named(text, bad);
  check_named(text, bad.find("faults")->items()[0]);
  for (const char* status : {"ok", "refused", "faulty"})
    CHECK(text.find(std::string("`") + status + "`") != std::string::npos);
}

TEST_CASE("the page on plans names every field of a budget") {
  const std::string text = page("plan.md");
  store::PlannedBudget budget;
  budget.names = {"zoo"};
  budget.tasks.resize(1);
  budget.sensitivity.tasks.resize(1);
  budget.sensitivity.needed.resize(1);
  const Value value = store::planned_budget_value(budget);
  check_named(text, value);
  check_named(text, value.find("tasks")->items()[0]);
  check_named(text, *value.find("total"));
  check_named(text, *value.find("sensitivity"));
  check_named(text, value.find("sensitivity")->find("items_needed")->items()[0]);
}

TEST_CASE("the page on plans names every field") {
  const std::string text = page("plan.md");
  std::vector<core::BuiltTask> tasks{test::small_run().tasks[0].task};
  tasks.push_back(tasks[0]);
  tasks[1].output_type = core::OutputType::generate_until;
  const Value plan = store::plan_document(
      "scripted:zero", tasks,
      {store::PlannedTokens{.by_task = {{}}}, store::PlannedMemory{}, store::PlannedTime{}}, 1);
  check_named(text, plan);
  for (const char* part : {"tokens", "memory", "time"}) check_named(text, *plan.find(part));
  for (const Value& task : plan.find("tasks")->items()) {
    check_named(text, task);
    CHECK(text.find("`" + task.find("request_type")->as_string() + "`") != std::string::npos);
    const Value& document = task.find("prompts")->items()[0];
    check_named(text, document);
    check_named(text, document.find("requests")->items()[0]);
    for (const Value& file : task.find("files")->items()) check_named(text, file);
  }
}

}  // namespace
}  // namespace tare
