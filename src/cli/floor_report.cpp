#include "cli/floor_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "backend/llama/llama_backend.h"
#include "base/files.h"
#include "base/json.h"
#include "cli/build_info.h"
#include "cli/machine.h"
#include "floor/report.h"

namespace tare::cli {
namespace {

using base::Status;
using floor::FileFindings;
using floor::RowState;
using floor::SettingFindings;
using Windows = std::vector<const floor::WindowRows*>;

/// All windows of a row in order.
Windows windows_of(const FloorRow& row) {
  Windows windows;
  for (const auto& [number, result] : row.windows) windows.push_back(&result.rows);
  return windows;
}

std::optional<floor::Divergences> divergences(const FloorRow& row, const FloorRow& reference) {
  if (!row.fault.empty()) return std::nullopt;
  return floor::summarize(windows_of(row), windows_of(reference));
}

SettingFindings setting_findings(const PlannedSetting& planned, std::size_t file,
                                 const FloorRows& rows) {
  SettingFindings findings{.setting = planned.setting};
  const FloorRow* row = rows.find(file, planned.setting.name);
  if (row == nullptr) {
    findings.state = RowState::not_available;
    findings.reason = planned.missing;
    return findings;
  }
  findings.divergences = divergences(*row, *rows.find(file, kReferenceRow));
  if (row->fault.empty()) return findings;
  findings.state = RowState::failed;
  findings.reason = row->fault;
  return findings;
}

FileFindings file_findings(const FloorPlan& plan, std::size_t file, const FloorRows& rows) {
  const PlannedFile& planned = plan.files[file];
  FileFindings findings;
  findings.name = planned.path.filename().string();
  findings.sha256 = planned.sha256;
  if (planned.loaded) findings.model = planned.loaded->description;
  const FloorRow& reference = *rows.find(file, kReferenceRow);
  findings.reference.setting = plan.reference;
  if (reference.fault.empty()) {
    findings.loss = floor::mean_loss(windows_of(reference));
  } else {
    findings.reference.state = RowState::failed;
    findings.reference.reason = reference.fault;
  }
  for (const PlannedSetting& setting : plan.settings)
    findings.settings.push_back(setting_findings(setting, file, rows));
  return findings;
}

base::Value program_value() {
  base::Dict dict;
  dict.set("build", build_info());
  dict.set("engine_sha256", backend::llama::engine_hash());
  return dict;
}

base::Value text_value(const FloorPlan& plan) {
  base::Dict dict;
  dict.set("name", plan.text_name);
  dict.set("sha256", plan.text_sha256);
  dict.set("tokens_sha256", plan.windows_sha256);
  return dict;
}

bool names_repeat(const std::vector<FileFindings>& files) {
  std::set<std::string> names;
  return !std::ranges::all_of(
      files, [&](const FileFindings& file) { return names.insert(file.name).second; });
}

/// Files of one name are told apart by their folders, one that is given twice by numbers.
void tell_apart(const FloorPlan& plan, std::vector<FileFindings>& files) {
  if (!names_repeat(files)) return;
  for (std::size_t i = 0; i < files.size(); ++i) files[i].name = plan.files[i].path.string();
  if (!names_repeat(files)) return;
  for (std::size_t i = 0; i < files.size(); ++i) files[i].name += fmt::format(" ({})", i + 1);
}

void add_pairs(const FloorRows& rows, floor::Findings& findings) {
  for (std::size_t file = 1; file < findings.files.size(); ++file) {
    const FloorRow* row = rows.find(file, kPairRow);
    if (row == nullptr) continue;
    floor::PairFindings pair{.file = file};
    pair.divergences = divergences(*row, *rows.find(0, kReferenceRow));
    pair.reason = row->fault;
    pair.verdict = floor::judge(floor::evidence_of(findings, pair));
    findings.pairs.push_back(std::move(pair));
  }
}

/// A line for each row and window.
Status write_positions(const FloorRows& rows, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  for (const FloorRow& row : rows.rows)
    for (const auto& [window, result] : row.windows) {
      base::Dict line;
      line.set("file", row.file + 1);
      line.set("compared_with_file", row.base + 1);
      line.set("setting", row.name);
      line.set("window", window);
      const base::Value numbers = floor::window_value(result);
      for (const auto& [key, value] : numbers.as_dict())
        if (key.as_string() != "seconds") line.set(key, value);
      file << base::json::dump(line) << '\n';
    }
  file.close();
  if (file) return {};
  return base::work_failed(fmt::format("{}: cannot be written whole", path.string()));
}

}  // namespace

floor::Findings findings_of(const FloorPlan& plan, const FloorRows& rows,
                            std::optional<floor::Answers> answers, const FloorOptions& options) {
  floor::Findings findings;
  findings.program = program_value();
  findings.machine = machine_value();
  findings.text = text_value(plan);
  findings.window = plan.window;
  findings.positions = plan.positions;
  findings.pinned = options.pinned;
  for (std::size_t file = 0; file < plan.files.size(); ++file)
    findings.files.push_back(file_findings(plan, file, rows));
  tell_apart(plan, findings.files);
  findings.answers = std::move(answers);
  if (findings.answers)
    for (std::size_t file = 0; file < findings.answers->files.size(); ++file)
      findings.answers->files[file].name = findings.files[file].name;
  add_pairs(rows, findings);
  return findings;
}

Status write_floor(const floor::Findings& findings, const FloorRows& rows,
                   const FloorOptions& options) {
  const auto& folder = options.output;
  TARE_CHECK(write_positions(rows, folder / "positions.jsonl"));
  for (const report::Table& table : floor::tables_of(findings))
    TARE_CHECK(base::write_file(folder / (table.id + ".csv"), report::csv(table)));
  if (findings.answers)
    TARE_CHECK(base::write_file(folder / "flips.jsonl", floor::flips_jsonl(*findings.answers)));
  TARE_CHECK(base::write_file(folder / "floor.md", floor::markdown(findings)));
  TARE_CHECK(base::write_file(folder / "floor.html", floor::html(findings)));
  return base::write_file(folder / "floor.json",
                          base::json::dump(floor::document_of(findings), {.indent = 2}) + "\n");
}

}  // namespace tare::cli
