#include <doctest/doctest.h>

#include <cmath>

#include "base/files.h"
#include "base/json.h"
#include "base/python.h"
#include "parity/logged.h"
#include "score/score.h"
#include "store/results.h"
#include "support/support.h"

namespace tare {
namespace {

namespace fs = std::filesystem;
using base::Value;
using core::OutputType;
using test::Logged;

void score(core::TaskRecord& record) {
  auto found = score::score_task(record.task, record.responses);
  REQUIRE_MESSAGE(found.has_value(), found.error().text);
  record.score = std::move(*found);
}

/// `row` is the task's entry under "results".
void check_estimates(const core::TaskScore& score, const Value& row) {
  std::size_t expected = 0;
  for (const auto& [key, value] : row.as_dict()) expected += key.as_string().ends_with(",none");
  CHECK(2 * score.estimates.size() == expected);
  for (const core::Estimate& estimate : score.estimates) {
    CAPTURE(estimate.metric);
    const Value& value = *row.find(estimate.metric + ",none");
    const Value& error = *row.find(estimate.metric + "_stderr,none");
    CHECK(std::abs(estimate.value - value.as_number()) <= 1e-12);
    REQUIRE(estimate.standard_error.has_value());
    CHECK(std::abs(*estimate.standard_error - error.as_number()) <= 1e-12);
  }
}

/// Names, order, types and values: "{'acc': 1.0, 'acc_norm': 0.0}".
std::string shown(const core::DocumentScore& score) {
  base::Dict dict;
  for (const auto& [name, value] : score.metrics) dict.set(name, value);
  return base::python::repr(Value(dict));
}

void check_golden(const fs::path& file, const std::string& name, OutputType type) {
  const auto lines = test::json_lines(file);
  std::vector<Logged> logged;
  for (std::size_t i = 1; i < lines.size(); ++i) logged.push_back(test::from_golden(lines[i]));
  core::TaskRecord record = test::rebuild(name, type, logged);
  score(record);
  REQUIRE(record.score.filters[0].documents.size() == lines.size() - 1);
  for (std::size_t i = 1; i < lines.size(); ++i)
    CHECK(shown(record.score.filters[0].documents[i - 1]) ==
          base::python::repr(*lines[i].find("metrics")));
  check_estimates(record.score, *lines[0].find("results")->find(name));
  CHECK(record.score.warnings.empty());
}

TEST_CASE("lm-eval's answers on real benchmarks give lm-eval's scores") {
  const auto shared = test::shared_dir();
  if (!shared) return test::skip("../shared is not there: golden scores of lm-eval");
  struct Golden {
    const char* task;
    const char* file;
    OutputType type = OutputType::multiple_choice;
  };
  for (const Golden& golden :
       {Golden{"arc_easy", "arc_easy-0shot.jsonl"}, Golden{"piqa", "piqa-0shot.jsonl"},
        Golden{"hellaswag", "hellaswag-0shot.jsonl"},
        Golden{"truthfulqa_mc1", "truthfulqa_mc1-0shot.jsonl"},
        Golden{"mmlu_astronomy", "mmlu_astronomy-5shot.jsonl"},
        Golden{"lambada_openai", "lambada_openai-0shot.jsonl", OutputType::loglikelihood}}) {
    CAPTURE(golden.task);
    check_golden(*shared / "golden" / golden.file, golden.task, golden.type);
  }
}

Value read_json(const fs::path& file) {
  const auto text = base::read_file(file);
  REQUIRE_MESSAGE(text.has_value(), text.error().text);
  auto value = base::json::parse(*text);
  REQUIRE_MESSAGE(value.has_value(), value.error().text);
  return *value;
}

/// winogrande's doc_to_text gives the index of the right choice, which is not logged.
void set_winogrande_golds(core::TaskRecord& record) {
  record.task.multiple_input = true;
  for (std::size_t i = 0; i < record.task.golds.size(); ++i) {
    const bool first = record.task.documents[i].find("answer")->as_string() == "1";
    record.task.golds[i].choice = first ? 0 : 1;
  }
}

/// Rebuilds the task from its samples file, scores it, and expects lm-eval's results row, task hash
/// and samples file, the latter byte for byte.
void check_samples(const fs::path& folder, const std::string& name, OutputType type) {
  CAPTURE(name);
  const fs::path file = test::find_file(folder, "samples_" + name);
  const Value results = read_json(test::find_file(folder, "results"));
  std::vector<Logged> logged;
  for (const Value& line : test::json_lines(file)) logged.push_back(test::from_samples(line));
  core::TaskRecord record = test::rebuild(name, type, logged);
  if (name == "winogrande") set_winogrande_golds(record);
  score(record);
  check_estimates(record.score, *results.find("results")->find(name));
  CHECK(store::task_hash(record.task) == results.find("task_hashes")->find(name)->as_string());
  CHECK(test::without_own_block(store::samples_jsonl(record)) == *base::read_file(file));
}

TEST_CASE("lm-eval's toy runs are reproduced: scores, task hashes and samples files") {
  const auto shared = test::shared_dir();
  if (!shared) return test::skip("../shared is not there: toy runs of lm-eval");
  const fs::path folder = *shared / "parity/out/parity";
  check_samples(folder, "t_mc", OutputType::multiple_choice);
  check_samples(folder, "t_ctx", OutputType::multiple_choice);
  check_samples(folder, "p_ll", OutputType::loglikelihood);
}

TEST_CASE("lm-eval's example runs are reproduced: scores, task hashes and samples files") {
  const auto shared = test::shared_dir();
  if (!shared) return test::skip("../shared is not there: example runs of lm-eval");
  const fs::path folder = *shared / "oracle/examples";
  check_samples(folder, "mmlu_astronomy", OutputType::multiple_choice);
  check_samples(folder, "winogrande", OutputType::multiple_choice);
}

}  // namespace
}  // namespace tare
