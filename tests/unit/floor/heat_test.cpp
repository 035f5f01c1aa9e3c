#include "floor/heat.h"

#include <doctest/doctest.h>

#include "unit/floor/grids.h"

namespace tare::floor {

TEST_CASE("heat is a decade a level") {
  CHECK(heat_level(1e-12) == 0);
  CHECK(heat_level(1e-8) == 0);
  CHECK(heat_level(2e-8) == 1);
  CHECK(heat_level(4.5e-3) == 6);
  CHECK(heat_level(0.5) == 8);
  CHECK(heat_level(100) == kHottest);
}

TEST_CASE("a cell has a number, or says why there is none") {
  const HeatMap map = heat_of(test::two_files());
  REQUIRE(map.files.size() == 2);
  CHECK(map.rows[0].name == "rerun");
  CHECK(map.rows[0].cells[0].number == "equal");
  CHECK_FALSE(map.rows[0].cells[0].level);
  const HeatRow& avx = test::row_of(map, "tier-avx");
  CHECK(avx.cells[0].number == "4.0e-3");
  CHECK(*avx.cells[0].level == 6);
  CHECK(avx.cells[0].answers == "2/10");
  CHECK(avx.cells[1].number == "4.0e-5");
  CHECK(avx.cells[1].answers.empty());
  const HeatRow& missing = test::row_of(map, "tier-avx512");
  CHECK(missing.cells[0].number == "n/a");
  CHECK(missing.cells[0].note == missing.cells[1].note);
  CHECK(map.notes.at(missing.cells[0].note - 1) == "this CPU lacks its instructions");
  CHECK(test::row_of(map, "tier-sse42").cells[1].number == "failed");
  const HeatRow& pair = map.rows.back();
  CHECK(pair.name == "b.gguf");
  CHECK(pair.cells[0].number == "—");
  CHECK(pair.cells[1].number == "5.0e-2");
}

TEST_CASE("settings that only items were asked under have a row too") {
  Findings findings = test::two_files();
  SettingAnswers server;
  server.name = "server-cache";
  server.fault = "no llama-server";
  findings.answers->files[0].settings.push_back(server);
  const HeatMap map = heat_of(findings);
  const HeatRow& row = test::row_of(map, "server-cache");
  CHECK(row.cells[0].answers == "failed");
  CHECK(map.notes.at(row.cells[0].note - 1) == "no llama-server");
  CHECK(row.cells[1].answers.empty());
}

TEST_CASE("what is pinned is said to be") {
  Findings findings = test::two_files();
  findings.pinned = {"tier"};
  const HeatMap map = heat_of(findings);
  CHECK(test::row_of(map, "tier-avx").pinned);
  CHECK_FALSE(test::row_of(map, "rerun").pinned);
  CHECK(html(map).find("tier-avx <small>(pinned)</small>") != std::string::npos);
}

TEST_CASE("the table has the cells of the map") {
  const HeatMap map = heat_of(test::two_files());
  const report::Table table = table_of(map, "grid");
  for (const auto& row : table.rows) CHECK(row.size() == table.headers.size());
  CHECK(table.headers[2] == "a.gguf");
  const std::string text = report::markdown(table);
  CHECK(text.find("| 4.0e-3; 2/10 | 4.0e-5 |") != std::string::npos);
  CHECK(text.find("[1] ") != std::string::npos);
}

}  // namespace tare::floor
