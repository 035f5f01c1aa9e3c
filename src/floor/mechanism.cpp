#include "floor/mechanism.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "floor/words.h"

namespace tare::floor {
namespace {

using report::Table;
using Row = std::vector<std::string>;

const SettingFindings* find(const FileFindings& file, const std::string& name) {
  const auto found = std::ranges::find_if(
      file.settings, [&](const SettingFindings& row) { return row.setting.name == name; });
  return found == file.settings.end() ? nullptr : &*found;
}

bool moves(const FileFindings& file, const std::string& setting) {
  const SettingFindings* row = find(file, setting);
  return row != nullptr && row->divergences && row->divergences->mean > 0 &&
         std::isfinite(row->divergences->mean);
}

std::vector<std::string> common_settings(const std::vector<FileFindings>& files) {
  std::vector<std::string> names;
  for (const SettingFindings& row : files.front().settings)
    if (std::ranges::all_of(
            files, [&](const FileFindings& file) { return moves(file, row.setting.name); }))
      names.push_back(row.setting.name);
  return names;
}

std::optional<double> geometric_mean(const FileFindings& file,
                                     const std::vector<std::string>& settings) {
  if (settings.empty()) return std::nullopt;
  double sum = 0;
  for (const std::string& name : settings) sum += std::log(find(file, name)->divergences->mean);
  return std::exp(sum / static_cast<double>(settings.size()));
}

FormatFindings format_findings(const FileFindings& file, const std::vector<std::string>& settings) {
  FormatFindings found{
      .file = file.name, .model = file.model, .typical = geometric_mean(file, settings)};
  for (const SettingFindings& row : file.settings) {
    if (!row.divergences) continue;
    ++found.compared;
    found.equal += row.divergences->all_equal() ? 1 : 0;
  }
  return found;
}

std::string number(const std::optional<double>& value, std::string (*text)(double)) {
  return value ? text(*value) : kNothing;
}

std::string times(double value) {
  return value < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

/// KL from the first file, and what the floor is of it.
Row distance(const FileFindings& file, const Findings& findings) {
  const auto floor = floor_of(file, findings.pinned);
  for (const PairFindings& pair : findings.pairs) {
    if (&findings.files[pair.file] != &file || !pair.divergences) continue;
    const auto ratio = floor ? ratio_to_pair(*floor, pair) : std::nullopt;
    return {nats(pair.divergences->mean), ratio ? fmt::format("{:.2g}", *ratio) : kNothing};
  }
  return {kNothing, kNothing};
}

Row format_row(const FormatFindings& one, const FileFindings& file, const Findings& findings) {
  const auto floor = floor_of(file, findings.pinned);
  Row row{one.file,
          one.model.empty() ? kNothing : one.model,
          fmt::format("{} of {}", one.equal, one.compared),
          number(one.typical, nats),
          number(one.times_first, times),
          floor ? nats(floor->divergence) : kNothing};
  const Row more = distance(file, findings);
  row.insert(row.end(), more.begin(), more.end());
  return row;
}

}  // namespace

std::optional<Mechanism> mechanism_of(const Findings& findings) {
  if (findings.files.size() < 2) return std::nullopt;
  Mechanism mechanism{.settings = common_settings(findings.files), .files = {}};
  for (const FileFindings& file : findings.files) {
    mechanism.files.push_back(format_findings(file, mechanism.settings));
    FormatFindings& last = mechanism.files.back();
    if (const auto& first = mechanism.files.front().typical; first && last.typical)
      last.times_first = *last.typical / *first;
  }
  return mechanism;
}

Table mechanism_table(const Findings& findings, const std::string& id) {
  Table table{
      .id = id,
      .title = "The same changes on each file",
      .headers = {"File", "Weights", "Settings equal bit for bit", "Typical mean KL",
                  "Times the first file's", "Floor", "KL from the first file", "Floor / that"},
      .rows = {},
      .labels = 2,
      .notes = {}};
  const auto mechanism = mechanism_of(findings);
  if (!mechanism) return table;
  for (std::size_t i = 0; i < mechanism->files.size(); ++i)
    table.rows.push_back(format_row(mechanism->files[i], findings.files[i], findings));
  table.notes.push_back(
      mechanism->settings.empty()
          ? "No setting moves every file, so that nothing is typical of all."
          : fmt::format("Typical: the geometric mean over the settings that move every file: {}.",
                        fmt::join(mechanism->settings, ", ")));
  table.notes.emplace_back(
      "With float32 or float16 weights sums differ in their last bits. With quantized weights "
      "llama.cpp rounds activations to 8-bit integers: where such a last bit takes a number over a "
      "rounding step, it changes by the whole step (source 003).");
  return table;
}

}  // namespace tare::floor
