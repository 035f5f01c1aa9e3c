#include "cli/study_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/files.h"
#include "cli/tell.h"
#include "data/dataset.h"
#include "report/scatter.h"
#include "report/table.h"
#include "study/document.h"
#include "study/item_table.h"
#include "study/tables.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;

constexpr const char* kFigure = "figure-1.svg";

bool has_facts(const study::Findings& findings, const study::Cell& cell) {
  return std::ranges::any_of(findings.facts, [&](const study::BackendFacts& one) {
    return one.model == cell.model && one.backend == cell.backend;
  });
}

Status write_items(const study::Findings& findings, const fs::path& folder) {
  const auto columns = study::item_columns(findings);
  TARE_CHECK(base::write_file(folder / "items.jsonl", study::item_lines(columns)));
  if (!data::parquet_available()) return {};
  TARE_TRY(const std::string bytes, data::parquet_of(columns));
  return base::write_file(folder / "items.parquet", bytes);
}

Status write_tables(const study::Document& document, const fs::path& folder) {
  for (const report::Table& table : document.tables) {
    TARE_CHECK(base::write_file(folder / (table.id + ".md"), report::markdown(table)));
    TARE_CHECK(base::write_file(folder / (table.id + ".csv"), report::csv(table)));
    TARE_CHECK(base::write_file(folder / (table.id + ".tex"), report::latex(table)));
  }
  return {};
}

}  // namespace

Result<study::Findings> gather(const StudyPlan& plan) {
  study::Findings findings;
  findings.design = plan.design;
  findings.planned = plan.cells.size();
  std::vector<study::Cell> finished;
  for (const PlannedCell& cell : plan.cells) {
    if (!cell.finished) {
      if (!cell.failure.empty()) findings.failed.push_back({cell.cell, cell.failure});
      continue;
    }
    finished.push_back(cell.cell);
    if (has_facts(findings, cell.cell)) continue;
    TARE_TRY(store::RunFacts facts, store::read_facts(cell.folder));
    findings.facts.push_back({cell.cell.model, cell.cell.backend, std::move(facts)});
  }
  findings.finished = finished.size();
  if (finished.empty())
    return base::work_failed(fmt::format(
        "{}: no cell has results, so there is nothing to report{}", plan.design.output.string(),
        findings.failed.empty() ? "" : "; first reason: " + findings.failed[0].reason));
  for (const PlannedItems& items : plan.items)
    findings.sampled.emplace_back(items.part, items.whole);
  TARE_TRY(findings.observations, study::observe(plan.design, finished));
  findings.comparisons = study::compare(plan.design, findings.observations);
  if (!data::parquet_available())
    findings.notes.emplace_back("This build has no Arrow: items.parquet is not written.");
  return findings;
}

Result<fs::path> write_report(const study::Findings& findings) {
  const study::Document document = study::document_of(findings);
  const fs::path folder = findings.design.output / "report";
  TARE_CHECK(base::ensure_writable_folder(folder));
  TARE_CHECK(base::write_file(folder / "report.html", study::html(document)));
  TARE_CHECK(base::write_file(folder / "report.md", study::markdown(document, kFigure)));
  TARE_CHECK(base::write_file(folder / "report.tex", study::latex(document)));
  TARE_CHECK(base::write_file(folder / "methods.md", document.methods + "\n"));
  TARE_CHECK(base::write_file(folder / kFigure, report::svg(document.figure)));
  TARE_CHECK(write_tables(document, folder));
  TARE_CHECK(write_items(findings, folder));
  return folder;
}

void print_report(const study::Findings& findings) {
  for (const std::string& warning : study::warnings_of(findings))
    tell("tare: warning: {}\n", warning);
  for (report::Table table : {study::table_divergence(findings), study::table_significant(findings),
                              study::table_variance(findings), study::table_severe(findings),
                              study::table_families(findings)}) {
    table.notes.clear();
    fmt::print("{}\n", report::markdown(table));
  }
}

}  // namespace tare::cli
