#include "store/results.h"

#include <doctest/doctest.h>

#include <limits>

#include "base/json.h"
#include "store/execution.h"
#include "unit/store/records.h"

namespace tare {
namespace {

using base::Value;

Value parsed(const core::RunRecord& run) {
  auto value = base::json::parse(store::results_json(run));
  REQUIRE_MESSAGE(value.has_value(), value.error().text);
  return *value;
}

TEST_CASE("results.json is written as the format page says") {
  test::check_text("results.json", store::results_json(test::small_run()));
}

TEST_CASE("execution.json is written as the format page says") {
  test::check_text("execution.json", store::execution_json(test::small_execution()));
}

TEST_CASE("an estimate without a standard error says N/A, NaN stays NaN") {
  core::RunRecord run = test::small_run();
  run.tasks[0].score.estimates[0].value = std::numeric_limits<double>::quiet_NaN();
  const std::string text = store::results_json(run);
  CHECK(text.find("\"acc,none\": NaN,\n      \"acc_stderr,none\": \"N/A\"") != std::string::npos);
}

TEST_CASE("an empty record is valid") {
  const Value results = parsed({});
  CHECK(results.find("results")->as_dict().empty());
  CHECK(results.find("config")->find("random_seed")->is_none());
  CHECK(results.find("system_instruction_sha")->is_none());
  CHECK(results.find("tare")->find("model")->find("sha256")->is_none());
}

TEST_CASE("token counts that are not known are null, not zero") {
  core::RunRecord run = test::small_run();
  run.tokens = std::nullopt;
  CHECK(parsed(run).find("tare")->find("tokens")->is_none());
  core::Execution execution = test::small_execution();
  execution.tokens = std::nullopt;
  auto written = base::json::parse(store::execution_json(execution));
  REQUIRE(written.has_value());
  CHECK(written->find("tokens")->is_none());
}

TEST_CASE("a model's name is made a folder name as lm-eval does") {
  core::RunRecord run;
  run.model_name = "org/name:tag?*x[1]";
  CHECK(parsed(run).find("model_name_sanitized")->as_string() == "org__name__tag__x__1__");
}

TEST_CASE("only the samples of the evaluated documents count as effective") {
  const Value counts = *parsed(test::small_run()).find("n-samples")->find("zoo");
  CHECK(counts.find("original")->as_int() == 9);
  CHECK(counts.find("effective")->as_int() == 1);
}

}  // namespace
}  // namespace tare
