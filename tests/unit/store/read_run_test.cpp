#include "store/read_run.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "store/read_answers.h"
#include "store/results.h"
#include "store/sample_lines.h"
#include "support/support.h"
#include "unit/store/records.h"

namespace tare::store {
namespace {

/// As lm-eval 0.4.13 lays them out.
constexpr const char* kResults =
    R"({"results": {"toy": {"name": "toy", "alias": "toy", "acc,none": 0.25}}, )"
    R"("group_subtasks": {"toy": []}, "versions": {"toy": 1.0}, "n-shot": {"toy": 5}, )"
    R"("configs": {"toy": {"output_type": "multiple_choice", "repeats": 1}}, )"
    R"("n-samples": {"toy": {"original": 4, "effective": 4}}, "lm_eval_version": "0.4.13", )"
    R"("config": {"model": "hf", "limit": null, "fewshot_seed": 1234}, "chat_template_sha": null})";

constexpr const char* kOld = "2026-01-31T23-59-59.999999";
constexpr const char* kNew = "2026-02-01T00-00-00";

std::string results_name(const std::string& time) {
  return "results_" + time + ".json";
}

RunFiles found(const std::filesystem::path& named) {
  auto files = find_run(named);
  REQUIRE_MESSAGE(files.has_value(), files.error().text);
  return std::move(*files);
}

TEST_CASE("lm-eval's newest results are found from its output folder, the model's and the file") {
  const test::TempDir dir;
  const auto old = dir.write("out/org__model/" + results_name(kOld), kResults);
  const auto recent = dir.write("out/org__model/" + results_name(kNew), kResults);
  for (const auto& named : {dir.path() / "out", dir.path() / "out" / "org__model"}) {
    const RunFiles files = found(named);
    CHECK(files.results == recent);
    CHECK(files.passed_over == std::vector{old});
    CHECK(files.samples("a/b").string() ==
          (recent.parent_path() / ("samples_a/b_" + std::string(kNew) + ".jsonl")).string());
  }
  const RunFiles files = found(old);
  CHECK(files.results == old);
  CHECK(files.time == kOld);
  CHECK(files.passed_over.empty());
}

TEST_CASE("tare's own folder is found, whatever else it holds") {
  const test::TempDir dir;
  const auto own = dir.write("results.json", "{}");
  dir.write(results_name(kNew), "{}");
  const RunFiles files = found(dir.path());
  CHECK(files.results == own);
  CHECK(files.samples("t") == dir.path() / "samples_t.jsonl");
  CHECK(found(own).samples("t") == dir.path() / "samples_t.jsonl");
}

TEST_CASE("a folder with several models, or none, is refused") {
  const test::TempDir dir;
  CHECK(find_run(dir.path()).error().text ==
        dir.path().string() +
            ": holds neither results.json of tare nor results_TIME.json of lm-eval; wanted the "
            "output folder of a finished run, or its file of results");
  CHECK(find_run(dir.path() / "x").error().text.find("is not there") != std::string::npos);
  const auto a = dir.write("a/" + results_name(kNew), "{}").parent_path();
  const auto b = dir.write("b/" + results_name(kNew), "{}").parent_path();
  CHECK(find_run(dir.path()).error().text == dir.path().string() +
                                                 ": holds the results of 2 models; wanted one of " +
                                                 a.string() + " or " + b.string());
}

TEST_CASE("a folder that may not be looked into is not said to be empty") {
  const test::TempDir dir;
  const auto closed = dir.write("run/results.json", "{}").parent_path();
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  // Nothing is closed to root, so that the question is asked as nobody.
  const bool is_root = ::geteuid() == 0;
  if (is_root) REQUIRE(::seteuid(65534) == 0);
  const auto run = find_run(closed);
  if (is_root) REQUIRE(::seteuid(0) == 0);
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
  REQUIRE_FALSE(run.has_value());
  CHECK(run.error().text == closed.string() +
                                ": cannot be looked into: Permission denied; wanted the output "
                                "folder of a finished run that you may read");
}

TEST_CASE("what lm-eval says of a run is read") {
  const auto run =
      parse_run(kResults, {.results = "r.json", .folder = "", .time = kNew, .passed_over = {}});
  REQUIRE_MESSAGE(run.has_value(), run.error().text);
  CHECK(run->writer == "lm-eval 0.4.13");
  CHECK(run->record.model == "hf");
  CHECK(run->record.tasks.at(0).score.estimates.at(0).value == 0.25);
  const TaskConditions& toy = run->tasks.at("toy");
  CHECK(toy.asking.at(0).second == base::Value(5));
  CHECK(toy.asking.at(1).second == base::Value(4));
  CHECK(toy.answering.at(0).second == base::Value("multiple_choice"));
}

TEST_CASE("the documents of a task are counted as the results tell them") {
  const auto documents = [](const std::string& text) {
    const auto run =
        parse_run(text, {.results = "r.json", .folder = "", .time = kNew, .passed_over = {}});
    REQUIRE_MESSAGE(run.has_value(), run.error().text);
    return run->documents.at("toy");
  };
  CHECK(documents(kResults).least == 4U);
  CHECK(documents(kResults).most == 4U);
  CHECK_FALSE(documents(kResults).scored);
  // lm-eval with --samples: two documents were chosen, n-samples tells all.
  const CountedDocuments chosen =
      documents(R"({"results": {"toy": {"sample_len": 2, "acc,none": 0.5}}, )"
                R"("n-samples": {"toy": {"original": 4, "effective": 4}}})");
  CHECK(chosen.scored == 2U);
  CHECK(chosen.least == 2U);
  CHECK(chosen.most == 4U);
  // tare: a document that failed has no score, and stands in the samples.
  const CountedDocuments own =
      documents(R"({"results": {"toy": {"sample_len": 3, "acc,none": 0.5}}, )"
                R"("n-samples": {"toy": {"original": 9, "effective": 3}}, )"
                R"("tare": {"tasks": {"toy": {"scored_documents": 3, "failed_documents": 1}}}})");
  CHECK(own.scored == 3U);
  CHECK(own.least == 4U);
  CHECK(own.most == 4U);
  const CountedDocuments untold = documents(R"({"results": {"toy": {"sample_len": -1}}})");
  CHECK_FALSE(untold.scored);
  CHECK_FALSE(untold.least);
  CHECK_FALSE(untold.most);
}

TEST_CASE("what tare says of a run is read") {
  const test::TempDir dir;
  dir.write("results.json", results_json(test::small_run()));
  const auto run = read_run(own_files(dir.path()));
  REQUIRE_MESSAGE(run.has_value(), run.error().text);
  CHECK(run->writer.starts_with("tare"));
  CHECK(run->tasks.size() == run->record.tasks.size());
}

TEST_CASE("a broken file of results is named with the place") {
  const RunFiles files{.results = "r.json", .folder = "", .time = "", .passed_over = {}};
  CHECK(parse_run("{\n1}", files).error().text.starts_with("r.json: line 2, column 1"));
  CHECK(parse_run("[]", files).error().text.starts_with("r.json: has no \"results\""));
}

TEST_CASE("lines are the same in whatever pieces they come") {
  const std::string text = "{\"doc_id\": 1}\n{\"doc_id\": 22}\n{\"doc_id\": 3}";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    std::vector<std::int64_t> ids;
    SampleLines lines("f", [&](const base::Value& line) {
      ids.push_back(line.find("doc_id")->as_int());
      return true;
    });
    lines.add(std::string_view(text).substr(0, cut));
    lines.add(std::string_view(text).substr(cut));
    REQUIRE(lines.end());
    CHECK(ids == std::vector<std::int64_t>{1, 22, 3});
  }
}

}  // namespace
}  // namespace tare::store
