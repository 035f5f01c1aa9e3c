#include "report/console.h"

#include <doctest/doctest.h>

#include "support/support.h"

namespace tare {
namespace {

using base::Value;

core::Estimate estimate(const Value& given) {
  core::Estimate estimate;
  estimate.metric = given.find("metric")->as_string();
  estimate.value = given.find("value")->as_number();
  const Value& error = *given.find("stderr");
  if (!error.is_none()) estimate.standard_error = error.as_number();
  estimate.higher_is_better = given.find("higher_is_better")->as_bool();
  return estimate;
}

core::RunRecord record(const Value& tasks) {
  core::RunRecord run;
  for (const Value& given : tasks.items()) {
    core::TaskRecord task;
    task.task.name = given.find("name")->as_string();
    task.task.alias = given.find("alias")->as_string();
    task.task.version = *given.find("version");
    task.task.num_fewshot = static_cast<std::size_t>(given.find("num_fewshot")->as_int());
    for (const Value& metric : given.find("metrics")->items())
      task.score.estimates.push_back(estimate(metric));
    run.tasks.push_back(std::move(task));
  }
  return run;
}

/// The output without its first line.
std::string table_of(const core::RunRecord& run) {
  const std::string text = report::console_table(run);
  return text.substr(text.find('\n') + 1);
}

TEST_CASE("the table is the one that lm-eval prints") {
  int checked = 0;
  const Value cases = test::load_cases("report/tables.json");
  for (const Value& item : cases.items()) {
    CAPTURE(item.find("name")->as_string());
    CHECK(table_of(record(*item.find("tasks"))) == item.find("table")->as_string() + "\n");
    ++checked;
  }
  CHECK(checked > 60);
}

std::string first_line(const core::RunRecord& run) {
  const std::string text = report::console_table(run);
  return text.substr(0, text.find('\n'));
}

TEST_CASE("the first line names the model, its arguments and the run's limits") {
  core::RunRecord run;
  run.model = "gguf:models/a.gguf,threads=2";
  base::Dict arguments;
  arguments.set("path", "models/a.gguf");
  arguments.set("threads", 2);
  run.model_arguments = arguments;
  base::Dict settings;
  settings.set("limit", 5.0);
  settings.set("num_fewshot", 3);
  run.settings = settings;
  CHECK(first_line(run) ==
        "gguf ({'path': 'models/a.gguf', 'threads': 2}), gen_kwargs: ({}), limit: 5.0, "
        "num_fewshot: 3, batch_size: auto");
}

TEST_CASE("settings that were not given read as None") {
  core::RunRecord run;
  run.model = "scripted:zero";
  CHECK(first_line(run) ==
        "scripted ({}), gen_kwargs: ({}), limit: None, num_fewshot: None, batch_size: auto");
}

TEST_CASE("a task without an alias goes by its name") {
  core::RunRecord run;
  run.tasks.resize(1);
  run.tasks[0].task.name = "arc_easy";
  run.tasks[0].score.estimates.push_back({"acc", "none", 0.5, 0.1, true});
  CHECK(report::console_table(run).find("|arc_easy|") != std::string::npos);
}

}  // namespace
}  // namespace tare
