#include "store/read_results.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "store/results.h"
#include "support/support.h"
#include "unit/store/records.h"

namespace tare::store {
namespace {

TEST_CASE("what was written is read back, numbers to the last bit") {
  const test::TempDir dir;
  core::RunRecord run = test::small_run();
  run.tasks[0].score.estimates[0].value = 1.0 / 3;
  run.tasks[0].score.estimates[0].standard_error = std::nullopt;
  dir.write("results.json", results_json(run));
  const auto read = read_results(dir.path());
  REQUIRE_MESSAGE(read.has_value(), read.error().text);
  CHECK(read->model == run.model);
  REQUIRE(read->tasks.size() == run.tasks.size());
  for (std::size_t t = 0; t < run.tasks.size(); ++t) {
    const core::TaskRecord& wanted = run.tasks[t];
    const core::TaskRecord& found = read->tasks[t];
    CHECK(found.task.name == wanted.task.name);
    CHECK(found.task.version == wanted.task.version);
    CHECK(found.task.num_fewshot == wanted.task.num_fewshot);
    REQUIRE(found.score.estimates.size() == wanted.score.estimates.size());
    for (std::size_t e = 0; e < wanted.score.estimates.size(); ++e) {
      const core::Estimate& a = wanted.score.estimates[e];
      const core::Estimate& b = found.score.estimates[e];
      CHECK(b.metric == a.metric);
      CHECK(b.filter == a.filter);
      CHECK((std::bit_cast<std::uint64_t>(b.value) == std::bit_cast<std::uint64_t>(a.value) ||
             (std::isnan(a.value) && std::isnan(b.value))));
      CHECK(b.standard_error == a.standard_error);
    }
  }
}

TEST_CASE("a folder without results is refused") {
  const test::TempDir dir;
  const auto read = read_results(dir.path());
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == base::ErrorKind::input);
  CHECK(read.error().text.find("holds no results.json") != std::string::npos);
}

}  // namespace
}  // namespace tare::store
