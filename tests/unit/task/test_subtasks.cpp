#include <doctest/doctest.h>

#include "base/json.h"
#include "cases.h"
#include "task/task.h"

namespace tare::test {
namespace {

using base::Value;
using Names = std::vector<std::string>;

task::TaskConfig task_with(const TempDir& folder, const std::string& metadata) {
  const auto file = folder.write(
      "t.yaml", "task: t\ndataset_path: a/b\ntest_split: test\ndoc_to_text: q\ndoc_to_target: q\n" +
                    metadata);
  auto config = task::load_task(file);
  REQUIRE_MESSAGE(config.has_value(), config.error().text);
  return *config;
}

core::Dataset rows(const std::string& json) {
  return dataset_of(base::json::parse(json).value());
}

const char* const kThree =
    R"({"test": [{"q": "one", "part": "x"}, {"q": "two", "part": "y"}, {"q": "three ", "part": "x"}]})";

TEST_CASE("each document tells its part of the benchmark, the chosen ones too") {
  const TempDir folder;
  const auto config = task_with(folder, "metadata: {tare: {subtask: part}}\n");
  task::BuildOptions options;
  CHECK(task::document_subtasks(config, rows(kThree), options).value() == Names{"x", "y", "x"});
  options.samples["t"] = {1};
  const auto built = task::build(config, rows(kThree), options);
  REQUIRE_MESSAGE(built.has_value(), built.error().text);
  CHECK(built->subtasks == Names{"y"});
  CHECK(built->warnings.empty());
}

TEST_CASE("a part that the data does not tell is unknown, and a task need not name any") {
  const TempDir folder;
  const auto other = task_with(folder, "metadata: {tare: {subtask: category}}\n");
  CHECK(task::document_subtasks(other, rows(kThree), {}).value() == Names(3, "unknown"));
  const auto none = task_with(folder, "metadata: {version: 1}\n");
  CHECK(task::document_subtasks(none, rows(kThree), {}).value().empty());
}

TEST_CASE("parts that stand in another configuration are found by a column of both") {
  const TempDir folder;
  const auto config = task_with(
      folder,
      "metadata: {tare: {subtask: part, subtask_source: {dataset_name: c, split: s, key: q}}}\n");
  core::Dataset data = rows(kThree);
  data.splits[task::kSubtaskSplit] =
      rows(R"({"s": [{"q": " three", "part": "z"}, {"q": "one", "part": "w"}]})").splits["s"];
  CHECK(task::document_subtasks(config, data, {}).value() == Names{"w", "unknown", "z"});
  const auto missing = task::document_subtasks(config, rows(kThree), {});
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().text.find("metadata.tare.subtask_source") != std::string::npos);
}

TEST_CASE("what the data lacks of the benchmark is told") {
  const TempDir folder;
  const auto config = task_with(
      folder, "metadata: {tare: {subtask: part, subtasks: [w, x, y, z], documents: 9}}\n");
  const auto built = task::build(config, rows(kThree), {});
  REQUIRE(built.has_value());
  CHECK(built->coverage.documents == 9);
  CHECK(built->coverage.missing == Names{"w", "z"});
  REQUIRE(built->warnings.size() == 1);
  CHECK(built->warnings.front().code == "partial-data");
  CHECK(built->warnings.front().text ==
        "task t: the data has 3 documents, the benchmark 9; it lacks w, z; name that beside its "
        "scores");
}

TEST_CASE("whole data is not warned of") {
  const TempDir folder;
  const auto config =
      task_with(folder, "metadata: {tare: {subtask: part, subtasks: [x, y], documents: 3}}\n");
  const auto built = task::build(config, rows(kThree), {});
  REQUIRE(built.has_value());
  CHECK(built->coverage.missing.empty());
  CHECK(built->warnings.empty());
}

TEST_CASE("other places of the data are read as they are written") {
  const TempDir folder;
  const auto config =
      task_with(folder,
                "metadata: {tare: {other_data: [{dataset_path: raw/b}, "
                "{dataset_path: c/d, dataset_name: e, dataset_kwargs: {x: 1}}]}}\n");
  const auto benchmark = task::benchmark_of(config);
  REQUIRE(benchmark.has_value());
  REQUIRE(benchmark->other_data.size() == 2);
  CHECK(benchmark->other_data[0].path == "raw/b");
  CHECK_FALSE(benchmark->other_data[0].name.has_value());
  CHECK(benchmark->other_data[1].name == "e");
  CHECK(benchmark->other_data[1].arguments.find("x")->as_int() == 1);
}

std::string refusal(const std::string& written) {
  const TempDir folder;
  const auto benchmark =
      task::benchmark_of(task_with(folder, "metadata: {tare: " + written + "}\n"));
  return benchmark ? "" : without_folder(benchmark.error().text, folder);
}

TEST_CASE("a slip in metadata.tare is told with its place") {
  const std::string where = "task t: DIR/t.yaml:6: metadata.tare: ";
  CHECK(refusal("{subtsak: x}") ==
        where +
            "unknown key 'subtsak'; there is subtask, subtasks, documents, subtask_source or "
            "other_data");
  CHECK(refusal("3") == where + "it: found 3 (a whole number), wanted a mapping");
  CHECK(refusal("{documents: 0}") ==
        where + "documents: found 0 (a whole number), wanted a number from 1");
  CHECK(refusal("{subtasks: x}") == where + "subtasks: found 'x' (a text), wanted a list of names");
  CHECK(refusal("{other_data: [{dataset_name: x}]}") ==
        where + "other_data: dataset_path: found null, wanted a text");
  CHECK(refusal("{subtask_source: {split: s, key: k}}") ==
        where + "subtask_source: dataset_name: found null, wanted a text");
}

}  // namespace
}  // namespace tare::test
