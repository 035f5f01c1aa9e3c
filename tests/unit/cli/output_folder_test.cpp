#include "cli/output_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "support/support.h"

namespace tare::cli {
namespace fs = std::filesystem;

TEST_CASE("folders that a claim had to make are removed again unless kept") {
  test::TempDir dir;
  const fs::path target = dir.path() / "a/b/c";
  {
    const auto folder = OutputFolder::claim(target);
    REQUIRE(folder);
    CHECK(fs::is_directory(target));
  }
  CHECK_FALSE(fs::exists(dir.path() / "a"));
  {
    auto folder = OutputFolder::claim(target);
    REQUIRE(folder);
    folder->keep();
  }
  CHECK(fs::is_directory(target));
}

TEST_CASE("a folder that was there, or that got a file, stays") {
  test::TempDir dir;
  fs::create_directories(dir.path() / "old");
  { REQUIRE(OutputFolder::claim(dir.path() / "old")); }
  CHECK(fs::exists(dir.path() / "old"));
  {
    const auto folder = OutputFolder::claim(dir.path() / "new");
    REQUIRE(folder);
    dir.write("new/file", "x");
  }
  CHECK(fs::exists(dir.path() / "new/file"));
}

TEST_CASE("results of which nothing is known are not overwritten") {
  test::TempDir dir;
  dir.write("results.json", "{}");
  const auto folder = OutputFolder::claim(dir.path());
  REQUIRE_FALSE(folder);
  CHECK(folder.error().kind == base::ErrorKind::input);
  CHECK(folder.error().text ==
        "--output " + dir.path().string() +
            ": holds results.json without the journal of its run, so it cannot be resumed; name "
            "another folder or remove it");
}

TEST_CASE("the folder of a run that ended can be claimed to go on") {
  test::TempDir dir;
  dir.write("results.json", "{}");
  dir.write("journal.sqlite", "answers");
  CHECK(OutputFolder::claim(dir.path()));
}

TEST_CASE("an empty journal beside results is none") {
  test::TempDir dir;
  dir.write("results.json", "{}");
  dir.write("journal.sqlite", "");
  CHECK_FALSE(OutputFolder::claim(dir.path()));
}

TEST_CASE("a folder of other files is left alone") {
  test::TempDir dir;
  dir.write("notes.txt", "mine");
  const auto folder = OutputFolder::claim(dir.path());
  REQUIRE_FALSE(folder);
  CHECK(folder.error().text == "--output " + dir.path().string() +
                                   ": holds other files; name a folder that is empty or not there "
                                   "yet");
}

TEST_CASE("a file in the way is refused") {
  test::TempDir dir;
  const fs::path file = dir.write("file", "x");
  const auto folder = OutputFolder::claim(file / "out");
  REQUIRE_FALSE(folder);
  CHECK(folder.error().kind == base::ErrorKind::input);
}

TEST_CASE("a file to write is a new one or a regular one that belongs to no run") {
  test::TempDir dir;
  const auto told = [&](const std::string& name, const std::vector<fs::path>& runs = {}) {
    const auto status = check_output_file(dir.path() / name, runs);
    return status ? std::string() : status.error().text.substr(status.error().text.rfind(": "));
  };
  CHECK(told("new.md").empty());
  dir.write("old.md", "x");
  CHECK(told("old.md").empty());
  fs::create_directory(dir.path() / "folder.md");
  CHECK(told("folder.md") == ": is a folder; wanted the name of a file");
  REQUIRE(::mkfifo((dir.path() / "pipe.json").c_str(), 0600) == 0);
  CHECK(told("pipe.json") == ": is a device or a pipe; wanted the name of a file, or of none yet");
  const std::string lost = ": is a file of a run, which would be lost; name another file";
  for (const char* name : {"results.json", "results_2026-01-31T10-00-00.000001.json", "study.json",
                           "samples_toy.jsonl", "execution.json", "journal.sqlite-wal"}) {
    CAPTURE(name);
    dir.write(std::string("run/") + name, "x");
    CHECK(told(std::string("run/") + name) == lost);
  }
  CHECK(told("results.json").empty());
  dir.write("results_of_mine.json", "x");
  CHECK(told("results_of_mine.json").empty());
  CHECK(told("old.md", {dir.path() / "other", dir.path() / "." / "old.md"}) == lost);
}

}  // namespace tare::cli
