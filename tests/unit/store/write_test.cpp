#include <doctest/doctest.h>

#include <set>

#include "base/files.h"
#include "store/results.h"
#include "support/support.h"
#include "unit/store/records.h"

namespace tare {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST_CASE("a run leaves its samples and, last, its results") {
  const test::TempDir folder;
  const core::RunRecord run = test::small_run();
  const auto written = store::write_run(run, folder.path() / "new/out", true);
  REQUIRE_MESSAGE(written.has_value(), written.error().text);
  REQUIRE(written->size() == 3);
  CHECK(written->back().filename() == "results.json");
  CHECK(names_in(folder.path() / "new/out") ==
        std::set<std::string>{"results.json", "samples_a%3A%3Alast%2Fword.jsonl",
                              "samples_zoo.jsonl"});
  CHECK(*base::read_file(written->front()) == store::samples_jsonl(run.tasks[0]));
  CHECK(*base::read_file(written->back()) == store::results_json(run));
}

TEST_CASE("a run in doubt is no finished run until its results are written again") {
  const test::TempDir folder;
  REQUIRE(store::reopen_run(folder.path()).has_value());
  folder.write("results.json", "{}");
  REQUIRE(store::reopen_run(folder.path()).has_value());
  CHECK_FALSE(*store::holds_finished_run(folder.path()));
}

TEST_CASE("what a kill left half-written goes away, and nothing else") {
  const test::TempDir folder;
  const std::set<std::string> others{"samples_a.jsonl", "results.json",  "results.json.part",
                                     "mine.1-2.part",   "samples_a.1-2", "samples_.1-b.part"};
  for (const std::string& name : others) folder.write(name, "x");
  for (const char* name : {"results.json.12-3.part", "samples_a.jsonl.9-99.part",
                           "execution.json.1-1.part", ".tare-probe.4-1.part"})
    folder.write(name, "x");
  store::remove_leftovers(folder.path());
  CHECK(names_in(folder.path()) == others);
}

TEST_CASE("samples are left out on request") {
  const test::TempDir folder;
  REQUIRE(store::write_run(test::small_run(), folder.path(), false).has_value());
  CHECK(names_in(folder.path()) == std::set<std::string>{"results.json"});
}

TEST_CASE("no results where the samples could not be written") {
  const test::TempDir folder;
  fs::create_directories(folder.path() / "samples_zoo.jsonl/in the way");
  const auto written = store::write_run(test::small_run(), folder.path(), true);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().text.find("samples_zoo.jsonl") != std::string::npos);
  CHECK_FALSE(*store::holds_finished_run(folder.path()));
}

TEST_CASE("a folder with results holds a finished run") {
  const test::TempDir folder;
  CHECK_FALSE(*store::holds_finished_run(folder.path()));
  CHECK_FALSE(*store::holds_finished_run(folder.path() / "nothing"));
  folder.write("results.json", "{}");
  CHECK(*store::holds_finished_run(folder.path()));
}

TEST_CASE("different tasks never share a file") {
  CHECK(store::samples_file_name("mmlu_astronomy") == "samples_mmlu_astronomy.jsonl");
  CHECK(store::samples_file_name("a/b") == "samples_a%2Fb.jsonl");
  CHECK(store::samples_file_name("a%2Fb") == "samples_a%252Fb.jsonl");
  CHECK(store::samples_file_name("été \n") == "samples_été %0A.jsonl");
}

}  // namespace
}  // namespace tare
