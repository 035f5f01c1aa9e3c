#include "study/observations.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "support/support.h"
#include "unit/study/studies.h"

namespace tare {
namespace {

constexpr const char* kResults =
    R"({"results": {"quiz": {"alias": "quiz", "acc,none": 0.5, "ss,none": 0.6, "ppl,none": 12.0}},
        "group_subtasks": {}, "config": {"model": "scripted"}})";

std::string sample(int id, const std::string& hash, const std::string& rest) {
  return fmt::format(
      R"({{"doc_id": {}, "doc": {{"topic": "t{}"}}, "arguments": {{}}, "filter": "none", )"
      R"("doc_hash": "{}", {}}})"
      "\n",
      id, id % 2, hash, rest);
}

const std::string kRight = R"("metrics": ["acc", "ppl", "unparsable"], "acc": 1.0, "ppl": 12.0, )"
                           R"("unparsable": 0.0, "tare": {"subtask": "even"})";
const std::string kFailed =
    R"("metrics": [], "tare": {"responses": [{"failure": "HTTP 429 after 5 attempts"}]})";
const std::string kUnread =
    R"("metrics": ["acc", "unparsable"], "acc": 0.0, "unparsable": 1.0, "tare": {"subtask": "even"})";

/// A study with one finished cell for each of the given samples files.
struct Fixture {
  test::TempDir folder;
  study::Design design = test::small_design();
  std::vector<study::Cell> cells;

  Fixture() { design.output = folder.path(); }
  void add(const std::string& samples) {
    const study::Cell cell{0, cells.size(), "deterministic", 0, 0};
    const std::string place = "cells/" + study::cell_name(design, cell) + "/";
    folder.write(place + "results.json", kResults);
    folder.write(place + "samples_quiz.jsonl", samples);
    cells.push_back(cell);
  }
};

}  // namespace

TEST_CASE("finished runs are read: values, failures by reason, unread answers, ratios") {
  Fixture study;
  study.add(sample(4, "a", kRight) + sample(7, "b", kFailed) + sample(8, "c", kUnread));
  const auto read = study::observe(study.design, study.cells);
  REQUIRE_MESSAGE(read.has_value(), read.error().text);
  REQUIRE(read->items[0].size() == 3);
  CHECK(read->items[0][1].name() == "quiz/7");
  CHECK(read->items[0][0].cluster == "even");
  CHECK(read->items[0][1].cluster == "quiz");
  const study::Measured& cell = read->cells[0];
  REQUIRE(cell.items.size() == 1);
  const auto& acc = cell.items.at("acc");
  CHECK(acc[0] == 1);
  CHECK(std::isnan(acc[1]));
  CHECK(acc[2] == 0);
  CHECK(cell.pooled == std::map<std::string, double>{{"ss", 0.6}});
  CHECK(cell.answers == 3);
  CHECK(cell.failed == 1);
  CHECK(cell.failures.at("HTTP 429 after 5 attempts") == 1);
  CHECK(cell.unparsable == 1);
  CHECK(read->notes ==
        std::vector<std::string>{"quiz: ppl is not on a scale from 0 to 1; left out"});
}

TEST_CASE("a column of the documents tells the clusters") {
  Fixture study;
  study.design.benchmarks[0].cluster = "topic";
  study.add(sample(4, "a", kRight) + sample(7, "b", kRight));
  const auto read = study::observe(study.design, study.cells);
  REQUIRE(read);
  CHECK(read->items[0][0].cluster == "t0");
  CHECK(read->items[0][1].cluster == "t1");
}

TEST_CASE("cells that have different items are put side by side") {
  Fixture study;
  study.add(sample(4, "a", kRight));
  study.add(sample(5, "b", kRight) + sample(4, "a", kUnread));
  const auto read = study::observe(study.design, study.cells);
  REQUIRE(read);
  CHECK(read->items[0].size() == 2);
  CHECK(std::isnan(read->cells[0].items.at("acc")[1]));
  CHECK(read->cells[1].items.at("acc")[0] == 0);
}

TEST_CASE("another document under the same number is an error") {
  Fixture study;
  study.add(sample(4, "a", kRight));
  study.add(sample(4, "z", kRight));
  const auto read = study::observe(study.design, study.cells);
  REQUIRE_FALSE(read);
  CHECK(read.error().text ==
        "one/same/deterministic/quiz/1: task quiz: document 4 is not the one that other cells were "
        "asked; wanted the same data in all cells");
}

TEST_CASE("a cell without samples is an error that names the remedy") {
  Fixture study;
  study.add("");
  std::filesystem::remove(study::cell_folder(study.design, study.cells[0]) / "samples_quiz.jsonl");
  const auto read = study::observe(study.design, study.cells);
  REQUIRE_FALSE(read);
  CHECK(read.error().text.find("without --no-samples") != std::string::npos);
}

}  // namespace tare
