#include "cli/report_page.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>

#include "base/files.h"
#include "support/support.h"

namespace tare::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kResults = R"({"results": {"t": {"sample_len": 2, "acc,none": 0.5}}})";

/// A run whose one task kept no samples.
class Run {
 public:
  Run() { dir_.write("run/results.json", kResults); }
  [[nodiscard]] fs::path at(const std::string& name) const { return dir_.path() / name; }
  /// Of the error; "" if there is none.
  [[nodiscard]] base::Error report(const fs::path& output) const {
    const auto status = write_report({.runs = {at("run")}, .output = output});
    return status ? base::Error{base::ErrorKind::failed, ""} : status.error();
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_.path()))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  test::TempDir dir_;
};

/// While it lives, no file can be written beyond so many bytes.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit low{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &low);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit limit_{};
  void (*before_)(int);
};

}  // namespace

TEST_CASE("a report takes the place of nothing but an older one") {
  const Run run;
  CHECK(run.report(run.at("r.html")).text.empty());
  CHECK(run.report(run.at("r.html")).text.empty());
  CHECK(run.report(run.at("run/report.html")).text.empty());
  REQUIRE(::mkfifo(run.at("pipe").c_str(), 0600) == 0);
  CHECK(run.report(run.at("pipe")).kind == base::ErrorKind::input);
  CHECK(fs::is_fifo(run.at("pipe")));
  CHECK(run.report(run.at("run/results.json")).kind == base::ErrorKind::input);
  fs::create_symlink(run.at("run/results.json"), run.at("link.html"));
  CHECK(run.report(run.at("link.html")).kind == base::ErrorKind::input);
  CHECK(*base::read_file(run.at("run/results.json")) == kResults);
  CHECK(run.files() == std::vector<std::string>{"link.html", "pipe", "r.html", "run"});
}

TEST_CASE("a report goes where a link leads") {
  const Run run;
  REQUIRE(base::write_file(run.at("old.html"), "old"));
  fs::create_symlink("old.html", run.at("link.html"));
  CHECK(run.report(run.at("link.html")).text.empty());
  CHECK(fs::is_symlink(run.at("link.html")));
  CHECK(base::read_file(run.at("old.html"))->starts_with("<!doctype html>"));
}

TEST_CASE("a report that cannot be written leaves nothing") {
  const Run run;
  const base::Error nameless = run.report("");
  CHECK(nameless.kind == base::ErrorKind::usage);
  CHECK(nameless.text == "--output '': wanted the name of a file, e.g. report.html");
  const FullDisk full(1000);
  const base::Error error = run.report(run.at("r.html"));
  CHECK(error.kind == base::ErrorKind::failed);
  CHECK(error.text.find("cannot be written: ") != std::string::npos);
  CHECK(run.files() == std::vector<std::string>{"run"});
}

}  // namespace tare::cli
