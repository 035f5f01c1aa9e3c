#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/files.h"
#include "support/support.h"
#include "unit/compare/simulation.h"

namespace tare::test {
namespace {

Record together(const std::vector<Records>& all, Record Records::*method) {
  Record sum;
  for (const Records& one : all) {
    sum.intervals += (one.*method).intervals;
    sum.covered += (one.*method).covered;
  }
  return sum;
}

void check_documented(const std::string& text) {
  const auto guide = base::read_file(source_dir() / "docs" / "guide" / "compare.md");
  REQUIRE(guide);
  CHECK_MESSAGE(guide->find(text) != std::string::npos, "docs/guide/compare.md lacks:\n" << text);
}

TEST_CASE("on 200 pairs of runs the paired interval covers as often as it says") {
  constexpr std::size_t kPairs = 200;
  const std::vector<Records> records = run_simulation(kPairs, 1);
  const Record paired = together(records, &Records::paired),
               unpaired = together(records, &Records::unpaired);
  CHECK(paired.intervals == kPairs * regimes().size());
  CHECK(paired.coverage() >= 0.93);
  CHECK(paired.coverage() <= 0.97);
  check_documented(
      fmt::format("{:.1f} % of {} paired intervals", 100 * paired.coverage(), paired.intervals));
  check_documented(fmt::format("{:.1f} % of the unpaired ones", 100 * unpaired.coverage()));
}

TEST_CASE("over many pairs it does so for few items, rare changes and skewed values") {
  const std::vector<Records> records = run_simulation(2000, 2);
  for (std::size_t i = 0; i < records.size(); ++i) {
    CAPTURE(i);
    CHECK(records[i].paired.coverage() >= 0.93);
    CHECK(records[i].paired.coverage() <= 0.97);
  }
  check_documented(simulation_table(records));
}

}  // namespace
}  // namespace tare::test
