#include "floor/provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "floor/report.h"
#include "floor/words.h"

namespace tare::floor {
namespace {

using base::Value;
using report::Table;

std::string text_of(const Value& value) {
  if (value.is_string()) return value.as_string();
  if (value.is_none()) return kNothing;
  return base::json::dump(value);
}

/// A row for each number or text, by the path of its keys.
void add_rows(const std::string& name, const Value& value, Table& table) {
  if (!value.is_dict()) {
    table.rows.push_back({name, text_of(value)});
    return;
  }
  for (const auto& [key, part] : value.as_dict())
    add_rows(name.empty() ? key.as_string() : name + " " + key.as_string(), part, table);
}

Table program_table(const Findings& findings) {
  Table table{.id = "program",
              .title = "Program, machine, text",
              .headers = {"What", "Value"},
              .rows = {},
              .labels = 2,
              .notes = {}};
  add_rows("", findings.program, table);
  add_rows("machine", findings.machine, table);
  add_rows("text", findings.text, table);
  table.rows.push_back({"window", std::to_string(findings.window)});
  table.rows.push_back({"positions", std::to_string(findings.positions)});
  table.rows.push_back({"pinned", findings.pinned.empty()
                                      ? "nothing"
                                      : fmt::format("{}", fmt::join(findings.pinned, ", "))});
  return table;
}

Table files_table(const Findings& findings) {
  Table table{.id = "files",
              .title = "Files",
              .headers = {"File", "Model", "SHA-256", "Loss, nats a token"},
              .rows = {},
              .labels = 3,
              .notes = {}};
  for (const FileFindings& file : findings.files)
    table.rows.push_back({file.name, file.model.empty() ? kNothing : file.model, file.sha256,
                          file.loss ? fmt::format("{:.4f}", *file.loss) : kNothing});
  return table;
}

Table manners_table(const Findings& findings) {
  Table table{.id = "manners",
              .title = "Every factor of the settings",
              .headers = {"Setting"},
              .rows = {},
              .labels = 1,
              .notes = {}};
  for (const std::string& factor : factor_names()) table.headers.push_back(factor);
  const FileFindings& file = findings.files.front();
  const auto add = [&](const SettingFindings& row) {
    std::vector<std::string> cells{row.setting.name};
    const Value manner = manner_value(row.setting.manner);
    for (const std::string& factor : factor_names()) cells.push_back(text_of(*manner.find(factor)));
    table.rows.push_back(std::move(cells));
  };
  add(file.reference);
  for (const SettingFindings& row : file.settings) add(row);
  return table;
}

}  // namespace

std::vector<Table> provenance_tables(const Findings& findings) {
  return {program_table(findings), files_table(findings), manners_table(findings)};
}

}  // namespace tare::floor
