#include "floor/findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace tare::floor {
namespace {

std::string row_warning(const FileFindings& file, const SettingFindings& row) {
  if (row.state == RowState::failed)
    return fmt::format("{}: {} failed: {}", file.name, row.setting.name, row.reason);
  if (row.divergences && !row.divergences->all_equal() &&
      equal_expected(row.setting, file.reference.setting))
    return fmt::format(
        "{}: {} should be equal bit for bit, and only {:.1f} % of the rows are: this machine does "
        "not compute the same twice",
        file.name, row.setting.name, 100 * row.divergences->equal);
  return "";
}

}  // namespace

std::string_view state_name(RowState state) {
  switch (state) {
    case RowState::done:
      return "done";
    case RowState::failed:
      return "failed";
    case RowState::not_available:
      break;
  }
  return "not_available";
}

std::optional<Floor> floor_of(const FileFindings& file, const std::vector<std::string>& pinned) {
  std::optional<Floor> floor;
  for (const SettingFindings& row : file.settings) {
    if (!row.divergences || is_pinned(row.setting, file.reference.setting, pinned)) continue;
    if (!floor || row.divergences->mean > floor->divergence)
      floor = Floor{row.divergences->mean, fmt::format("{} on {}", row.setting.name, file.name)};
  }
  return floor;
}

Evidence evidence_of(const Findings& findings, const PairFindings& pair) {
  Evidence evidence;
  const FileFindings &a = findings.files.front(), &b = findings.files[pair.file];
  evidence.same_bytes = !a.sha256.empty() && a.sha256 == b.sha256;
  evidence.floor_a = floor_of(a, findings.pinned);
  evidence.floor_b = floor_of(b, findings.pinned);
  if (pair.divergences) {
    evidence.divergence = pair.divergences->mean;
    evidence.same_rows = pair.divergences->all_equal();
  }
  if (findings.answers) evidence.answers = difference_of(*findings.answers, pair.file);
  return evidence;
}

std::optional<double> ratio_to_pair(const Floor& floor, const PairFindings& pair) {
  if (!pair.divergences || pair.divergences->mean <= 0) return std::nullopt;
  return floor.divergence / pair.divergences->mean;
}

std::vector<std::string> warnings_of(const Findings& findings) {
  std::vector<std::string> warnings;
  const auto add = [&](std::string text) {
    if (!text.empty()) warnings.push_back(std::move(text));
  };
  // What the machine lacks it lacks for every file.
  for (const SettingFindings& row : findings.files.front().settings)
    if (row.state == RowState::not_available)
      add(fmt::format("{} is not available: {}", row.setting.name, row.reason));
  for (const FileFindings& file : findings.files) {
    add(row_warning(file, file.reference));
    for (const SettingFindings& row : file.settings) add(row_warning(file, row));
  }
  for (const PairFindings& pair : findings.pairs)
    if (!pair.divergences)
      add(fmt::format("{} was not compared with {}: {}", findings.files[pair.file].name,
                      findings.files.front().name, pair.reason));
  if (findings.answers) {
    for (const std::string& fault : faults_of(*findings.answers)) add(fault);
    for (const std::string& absence : absences_of(*findings.answers)) add(absence);
  }
  return warnings;
}

bool has_failures(const Findings& findings) {
  const auto failed = [](const SettingFindings& row) { return row.state == RowState::failed; };
  if (!std::ranges::all_of(findings.pairs,
                           [](const PairFindings& pair) { return pair.divergences.has_value(); }))
    return true;
  if (findings.answers && !faults_of(*findings.answers).empty()) return true;
  return std::ranges::any_of(findings.files, [&](const FileFindings& file) {
    return failed(file.reference) || std::ranges::any_of(file.settings, failed);
  });
}

bool has_results(const Findings& findings) {
  return std::ranges::any_of(findings.files, [](const FileFindings& file) {
    return std::ranges::any_of(
        file.settings, [](const SettingFindings& row) { return row.divergences.has_value(); });
  });
}

}  // namespace tare::floor
