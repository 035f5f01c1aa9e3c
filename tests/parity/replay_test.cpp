#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/files.h"
#include "base/json.h"
#include "base/python.h"
#include "cli/functions.h"
#include "cli/prepare.h"
#include "parity/logged.h"
#include "score/score.h"
#include "store/results.h"
#include "support/support.h"

/// The model's answers that lm-eval logged, put under tare's own tasks: prompts, hashes, metrics,
/// standard errors, groups and samples files must come out as lm-eval's.
namespace tare {
namespace {

namespace fs = std::filesystem;
using base::Dict;
using base::List;
using base::Value;
using core::OutputType;

/// The program's own way from names to tasks, with the native twins of Python functions.
struct Tasks {
  cli::TaskOptions options;
  worker::OpenFunctions functions;
  cli::PreparedTasks prepared;

  explicit Tasks(const cli::TaskOptions& asked) : options(asked) {
    options.offline = true;
    options.quiet = true;
    options.seeds = {0, 1234, 1234, 1234};
    auto opened = cli::open_functions(options);
    REQUIRE_MESSAGE(opened.has_value(), opened.error().text);
    functions = std::move(*opened);
    auto tasks = cli::prepare_tasks(options);
    REQUIRE_MESSAGE(tasks.has_value(), tasks.error().text);
    prepared = std::move(*tasks);
  }
};

double number(const Value& text) {
  const std::string& digits = text.as_string();
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// One response as lm-eval writes it: [sum, greedy], a sum, or a text.
core::Response response_of(OutputType type, const Value& logged) {
  core::Response response;
  if (type == OutputType::generate_until) {
    response.answer = logged.as_string();
    response.outcome = core::Generated{response.answer, {}, core::FinishReason::stop_string};
  } else if (type == OutputType::loglikelihood_rolling) {
    response.outcome = core::LogLikelihood{number(logged), false};
  } else {
    response.outcome =
        core::LogLikelihood{number(logged.items()[0]), logged.items()[1].as_string() == "True"};
  }
  return response;
}

/// The task with the answers of one filter's lines: they are the same under every filter.
core::TaskRecord answered(core::BuiltTask task, const std::vector<Value>& lines,
                          core::Functions* functions) {
  core::TaskRecord record{std::move(task), {}, {}};
  for (std::size_t i = 0; i < record.task.documents.size(); ++i)
    for (const Value& repetitions : lines[i].find("resps")->items())
      for (const Value& logged : repetitions.items())
        record.responses.push_back(response_of(record.task.output_type, logged));
  auto score = score::score_task(record.task, record.responses, functions);
  REQUIRE_MESSAGE(score.has_value(), score.error().text);
  record.score = std::move(*score);
  return record;
}

void check_close(const Value& found, const Value& expected) {
  if (expected.is_number() && found.is_number()) {
    const double wanted = expected.as_number();
    CHECK(std::abs(found.as_number() - wanted) <= 1e-12 * std::max(1.0, std::abs(wanted)));
  } else if (expected.is_dict()) {
    REQUIRE(found.is_dict());
    CHECK(found.as_dict().size() == expected.as_dict().size());
    for (const auto& [key, value] : expected.as_dict()) {
      CAPTURE(base::python::str(key));
      const Value* ours = found.find(base::python::str(key));
      REQUIRE(ours != nullptr);
      check_close(*ours, value);
    }
  } else {
    CHECK(base::python::repr(found) == base::python::repr(expected));
  }
}

Value parsed(const std::string& text) {
  auto value = base::json::parse(text);
  REQUIRE_MESSAGE(value.has_value(), value.error().text);
  return *value;
}

std::string shown(const core::DocumentScore& score) {
  Dict dict;
  for (const auto& [name, value] : score.metrics) dict.set(name, value);
  return base::json::dump(Value(dict));
}

void check_golden(const fs::path& shared, const std::string& lm_eval, const std::string& name) {
  CAPTURE(name);
  const auto lines = test::json_lines(shared / "golden" / (name + ".jsonl"));
  const Value& header = lines.front();
  const std::vector<Value> items(lines.begin() + 1, lines.end());
  const std::string task = header.find("task")->as_string();
  cli::TaskOptions asked;
  asked.tasks = {task};
  asked.include_paths = {lm_eval};
  asked.datasets = {shared / "hub"};
  asked.build.num_fewshot = static_cast<std::size_t>(header.find("num_fewshot")->as_int());
  asked.build.limit = header.find("limit")->as_number();
  Tasks tasks(asked);
  const core::TaskRecord record =
      answered(std::move(tasks.prepared.tasks.front()), items, tasks.options.build.functions);
  CHECK(store::task_hash(record.task) == header.find("task_hashes")->find(task)->as_string());
  core::RunRecord run;
  run.tasks.push_back(record);
  const Value results = parsed(store::results_json(run));
  check_close(*results.find("results")->find(task), *header.find("results")->find(task));
  std::size_t line = 0;
  for (const core::FilterScore& filter : record.score.filters)
    for (const core::DocumentScore& document : filter.documents) {
      CAPTURE(line);
      CHECK(filter.filter == items[line].find("filter")->as_string());
      check_close(parsed(shown(document)), *items[line].find("metrics"));
      ++line;
    }
  CHECK(line == items.size());
}

TEST_CASE("lm-eval's answers on real benchmarks give lm-eval's scores under tare's own tasks") {
  const auto shared = test::shared_dir();
  if (!shared) return test::skip("../shared is not there: golden scores of lm-eval");
  const char* lm_eval = std::getenv("TARE_LM_EVAL");
  if (lm_eval == nullptr) return test::skip("TARE_LM_EVAL does not name lm-eval's task folder");
  for (const char* name : {"arc_easy-0shot", "gsm8k-5shot", "hellaswag-0shot",
                           "lambada_openai-0shot", "mmlu_astronomy-5shot", "piqa-0shot",
                           "triviaqa-5shot", "truthfulqa_mc1-0shot", "wikitext-0shot"})
    check_golden(*shared, lm_eval, name);
}

/// Changes the working folder: the toy tasks name their data relative to it.
struct InFolder {
  explicit InFolder(const fs::path& folder) { fs::current_path(folder); }
  ~InFolder() { fs::current_path(before); }
  fs::path before = fs::current_path();
};

TEST_CASE("the toy group of all output types gives lm-eval's results and samples files") {
  const auto shared = test::shared_dir();
  if (!shared) return test::skip("../shared is not there: toy runs of lm-eval");
  const InFolder folder(fs::absolute(*shared / "parity"));
  cli::TaskOptions asked;
  asked.tasks = {"p_grp"};
  asked.include_paths = {"tasks"};
  asked.datasets = {"."};
  Tasks tasks(asked);
  core::RunRecord run;
  for (core::BuiltTask& task : tasks.prepared.tasks) {
    CAPTURE(task.name);
    const fs::path file = test::find_file("out/parity", "samples_" + task.name + "_");
    const auto lines = test::json_lines(file);
    run.tasks.push_back(answered(std::move(task), lines, tasks.options.build.functions));
    CHECK(test::without_own_block(store::samples_jsonl(run.tasks.back())) ==
          *base::read_file(file));
  }
  cli::score_groups(tasks.prepared.groups, run);
  const Value ours = parsed(store::results_json(run));
  const Value theirs = parsed(*base::read_file(test::find_file("out/parity", "results")));
  for (const char* key : {"results", "groups", "group_subtasks", "versions", "n-shot",
                          "higher_is_better", "n-samples", "task_hashes"}) {
    CAPTURE(key);
    check_close(*ours.find(key), *theirs.find(key));
  }
}

}  // namespace
}  // namespace tare
