#include "cli/study_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/files.h"
#include "cli/parity_sides.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "data/dataset.h"
#include "report/scatter.h"
#include "report/table.h"
#include "study/document.h"
#include "study/item_table.h"
#include "study/parity.h"
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

/// Each text once.
void add_warnings(const std::vector<core::Warning>& more, std::vector<core::Warning>& all) {
  for (const core::Warning& warning : more)
    if (std::ranges::find(all, warning.text, &core::Warning::text) == all.end())
      all.push_back(warning);
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

/// The finished cell of a backend whose prompts are looked at; null if there is none.
const PlannedCell* shown_cell(const StudyPlan& plan, std::size_t model, const std::string& backend,
                              std::size_t benchmark) {
  const std::string& mode = study::structural_mode(plan.design);
  for (const PlannedCell& cell : plan.cells)
    if (cell.finished && cell.cell.model == model && cell.cell.benchmark == benchmark &&
        cell.cell.mode == mode && plan.design.backends[cell.cell.backend].name == backend)
      return &cell;
  return nullptr;
}

/// "3 of 9 prompts are not those of hf, 6 of 9 cannot be compared with them".
std::string unequal_prompts(const study::ParityReport& parity, const std::string& baseline) {
  const std::size_t others = parity.compared - parity.equal - parity.incomparable;
  std::string text;
  if (others > 0 || parity.incomparable == 0)
    text = fmt::format("{} of {} prompts are not those of {}", others, parity.compared, baseline);
  if (parity.incomparable == 0) return text;
  return text + (text.empty() ? fmt::format("{} of {} prompts cannot be compared with those of {}",
                                            parity.incomparable, parity.compared, baseline)
                              : fmt::format(", {} of {} cannot be compared with them",
                                            parity.incomparable, parity.compared));
}

/// What differs between the prompts of two cells; "" if nothing does.
std::string prompt_note(const StudyPlan& plan, const PlannedCell& first,
                        const PlannedCell& second) {
  const auto left = finished_side(store::own_files(first.folder), plan.design.baseline);
  const auto right = finished_side(store::own_files(second.folder),
                                   plan.design.backends[second.cell.backend].name);
  if (!left || !right) return (left ? right : left).error().text;
  const study::ParityReport parity = study::compare_prompts(*left, *right);
  if (parity.equal == parity.compared && parity.findings.empty()) return "";
  std::string faults;
  for (const study::Finding& finding : parity.findings)
    faults += fmt::format("{}{}{} ({})", faults.empty() ? ": " : ", ", fault_name(finding.fault),
                          finding.side.empty() ? "" : " in " + finding.side, finding.prompts);
  return fmt::format("{}, {}, {}: {}{}.", plan.design.models[second.cell.model].name, right->name,
                     plan.design.benchmarks[second.cell.benchmark].name,
                     unequal_prompts(parity, left->name), faults);
}

/// Prompts are compared before answers are.
void note_prompts(const StudyPlan& plan, study::Findings& findings) {
  for (std::size_t model = 0; model < plan.design.models.size(); ++model)
    for (const std::size_t target : study::targets(plan.design))
      for (std::size_t benchmark = 0; benchmark < plan.design.benchmarks.size(); ++benchmark) {
        const auto* first = shown_cell(plan, model, plan.design.baseline, benchmark);
        const auto* second = shown_cell(plan, model, plan.design.backends[target].name, benchmark);
        if (first == nullptr || second == nullptr) continue;
        std::string note = prompt_note(plan, *first, *second);
        if (!note.empty()) findings.notes.push_back(std::move(note));
      }
}

}  // namespace

Result<study::Findings> gather(const StudyPlan& plan) {
  study::Findings findings;
  findings.design = plan.design;
  findings.planned = plan.cells.size();
  findings.failed = failed_cells(plan);
  std::vector<study::Cell> finished;
  for (const PlannedCell& cell : plan.cells) {
    if (!cell.finished) continue;
    finished.push_back(cell.cell);
    TARE_TRY(store::RunFacts facts, store::read_facts(cell.folder));
    add_warnings(facts.warnings, findings.run_warnings);
    if (!has_facts(findings, cell.cell))
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
  note_prompts(plan, findings);
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
    print_fitted(report::markdown(table) + "\n");
  }
}

}  // namespace tare::cli
