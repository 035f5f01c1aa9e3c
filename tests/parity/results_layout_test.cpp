#include <doctest/doctest.h>

#include <cstdlib>

#include "parity/logged.h"
#include "score/score.h"
#include "store/execution.h"
#include "store/results.h"
#include "support/support.h"

namespace tare {
namespace {

namespace fs = std::filesystem;
using core::OutputType;

core::TaskRecord scored(const fs::path& samples, const std::string& name) {
  std::vector<test::Logged> logged;
  for (const base::Value& line : test::json_lines(samples))
    logged.push_back(test::from_samples(line));
  core::TaskRecord record = test::rebuild(name, OutputType::multiple_choice, logged);
  record.task.version = 1.0;
  record.task.alias = name;
  base::Dict config;
  config.set("task", name);
  record.task.config = config;
  auto score = score::score_task(record.task, record.responses);
  REQUIRE_MESSAGE(score.has_value(), score.error().text);
  record.score = std::move(*score);
  return record;
}

TEST_CASE("readers of lm-eval's files find the same structure in tare's") {
  const auto shared = test::shared_dir();
  if (!shared) return test::skip("../shared is not there: example files of lm-eval");
  if (std::system("python3 -c pass") != 0) return test::skip("python3 is not there");
  const fs::path example = *shared / "oracle/examples";
  core::RunRecord run;
  run.model = "scripted:zero";
  run.model_name = "zero";
  base::Dict settings;
  settings.set("limit", 5.0);
  settings.set("seed", base::List{0, 1234, 1234, 1234});
  run.settings = settings;
  run.tasks.push_back(scored(example / "samples_mmlu_astronomy.5shot.jsonl", "mmlu_astronomy"));
  const test::TempDir ours;
  const auto written = store::write_run(run, ours.path(), true);
  REQUIRE_MESSAGE(written.has_value(), written.error().text);
  REQUIRE(store::write_execution({}, ours.path()).has_value());
  const std::string script = (test::source_dir() / "tests/parity/read_results.py").string();
  const std::string command =
      "python3 '" + script + "' '" + ours.path().string() + "' '" + example.string() + "'";
  CHECK(std::system(command.c_str()) == 0);
}

}  // namespace
}  // namespace tare
