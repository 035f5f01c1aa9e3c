#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/files.h"
#include "data/dataset.h"
#include "study/compare.h"
#include "study/invariants.h"
#include "study/tables.h"
#include "support/support.h"
#include "unit/study/studies.h"

/// The report that stands in docs/examples/backends, against the values of items beside it.
namespace tare {
namespace {

std::filesystem::path example() {
  return test::source_dir() / "docs" / "examples" / "backends";
}

template <class List>
std::size_t place_of(const List& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, [](const auto& one) { return one.name; });
  REQUIRE(found != list.end());
  return static_cast<std::size_t>(found - list.begin());
}

std::string text(const core::Document& row, const char* column) {
  return row.find(column)->as_string();
}

std::size_t item_place(const core::Document& row, std::vector<study::Item>& items) {
  const study::Item item{text(row, "task"), row.find("doc_id")->as_int(), text(row, "cluster"), ""};
  const auto found = std::ranges::find(items, item.name(), &study::Item::name);
  if (found != items.end()) return static_cast<std::size_t>(found - items.begin());
  items.push_back(item);
  return items.size() - 1;
}

study::Measured& cell_of(const study::Cell& cell, std::vector<study::Measured>& cells) {
  const auto found = std::ranges::find(cells, cell, &study::Measured::cell);
  if (found != cells.end()) return *found;
  cells.emplace_back().cell = cell;
  return cells.back();
}

study::Observations read_items(const study::Design& design) {
  study::Observations observations;
  observations.items.resize(design.benchmarks.size());
  const auto rows = data::read_table(example() / "items.parquet");
  REQUIRE(rows);
  for (const core::Document& row : rows->rows) {
    const study::Cell cell{place_of(design.models, text(row, "model")),
                           place_of(design.backends, text(row, "backend")), text(row, "mode"),
                           static_cast<std::size_t>(row.find("repetition")->as_int()) - 1,
                           place_of(design.benchmarks, text(row, "benchmark"))};
    const std::size_t item = item_place(row, observations.items[cell.benchmark]);
    study::Measured& measured = cell_of(cell, observations.cells);
    auto& values = measured.items[text(row, "metric")];
    values.resize(std::max(values.size(), item + 1), std::nan(""));
    values[item] = row.find("value")->as_number();
    measured.texts.resize(values.size());
    measured.texts[item] = text(row, "answer");
  }
  for (study::Measured& cell : observations.cells)
    for (auto& [metric, values] : cell.items)
      values.resize(observations.items[cell.cell.benchmark].size(), std::nan(""));
  return observations;
}

study::Findings read_example() {
  const auto file = base::read_file(test::source_dir() / "examples" / "backends.yaml");
  REQUIRE(file);
  const auto design = study::read_design(*file, "backends.yaml");
  REQUIRE(design);
  study::Findings findings;
  findings.design = *design;
  findings.observations = read_items(*design);
  findings.comparisons = study::compare(findings.design, findings.observations);
  return findings;
}

}  // namespace

TEST_CASE("the tables of the example are those of its items") {
  if (!data::parquet_available()) {
    MESSAGE("SKIPPED: this build reads no Parquet");
    return;
  }
  const study::Findings findings = read_example();
  CHECK(findings.observations.cells.size() == study::cells_of(findings.design).size());
  for (const report::Table& table : study::tables_of(findings)) {
    if (table.id == "table-6") continue;  // what the backends said is not in the items
    CAPTURE(table.id);
    const auto committed = base::read_file(example() / (table.id + ".csv"));
    REQUIRE(committed);
    CHECK(*committed == report::csv(table));
  }
}

TEST_CASE(
    "the report of the example holds the invariants, and no place on the machine it was made on") {
  const auto page = base::read_file(example() / "report.html");
  REQUIRE(page);
  CHECK(page->find("BROKEN") == std::string::npos);
  CHECK(page->find("hf-pipeline and hf, the same model object, in mode deterministic: Δ and D are "
                   "exactly 0: holds in ") != std::string::npos);
  for (const char* place : {"/root", "/home", "/tmp", "/work", "http://", "https://"}) {
    CAPTURE(place);
    // The names of formats and of the study's own servers are no places.
    std::string rest = *page;
    for (const char* allowed : {"http://www.w3.org/2000/svg", "http://127.0.0.1:"})
      for (std::size_t at = rest.find(allowed); at != std::string::npos; at = rest.find(allowed))
        rest.erase(at, std::string(allowed).size());
    CHECK(rest.find(place) == std::string::npos);
  }
}

}  // namespace tare
