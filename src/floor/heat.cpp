#include "floor/heat.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "floor/words.h"

namespace tare::floor {
namespace {

using report::html_escaped;
using report::Table;

constexpr double kColdestDecade = -8;
constexpr const char* kEqual = "equal";

/// Reasons, each once, by number.
class Notes {
 public:
  std::size_t number_of(const std::string& reason) {
    const auto found = std::ranges::find(texts, reason);
    const auto place = static_cast<std::size_t>(found - texts.begin());
    if (found == texts.end()) texts.push_back(reason);
    return place + 1;
  }
  std::vector<std::string> texts;
};

HeatCell cell_of(const std::optional<Divergences>& numbers) {
  if (!numbers) return {.number = kNothing};
  if (numbers->all_equal()) return {.number = kEqual};
  HeatCell cell{.number = short_nats(numbers->mean)};
  if (numbers->mean > 0) cell.level = heat_level(numbers->mean);
  return cell;
}

HeatCell cell_of(const SettingFindings& row, Notes& notes) {
  if (row.state == RowState::done) return cell_of(row.divergences);
  return {.number = row.state == RowState::failed ? "failed" : "n/a",
          .note = notes.number_of(row.reason)};
}

void add_answers(const SettingAnswers& answers, HeatCell& cell, Notes& notes) {
  const study::TaskFlips all = study::together(answers.tasks);
  if (all.items > 0) cell.answers = fmt::format("{}/{}", all.answers_changed, all.items);
  const bool failed = !answers.fault.empty();
  if ((!failed && answers.missing.empty()) || cell.note != 0) return;
  cell.answers = failed ? "failed" : "n/a";
  cell.note = notes.number_of(failed ? answers.fault : answers.missing);
}

const SettingAnswers* answers_of(const Findings& findings, std::size_t file,
                                 const std::string& setting) {
  if (!findings.answers || file >= findings.answers->files.size()) return nullptr;
  const auto& all = findings.answers->files[file].settings;
  const auto found = std::ranges::find(all, setting, &SettingAnswers::name);
  return found == all.end() ? nullptr : &*found;
}

HeatRow setting_row(const Findings& findings, std::size_t place, Notes& notes) {
  const FileFindings& first = findings.files.front();
  const Setting& setting = first.settings[place].setting;
  HeatRow row{.name = setting.name,
              .change = difference_text(setting, first.reference.setting),
              .pinned = is_pinned(setting, first.reference.setting, findings.pinned),
              .cells = {}};
  for (std::size_t file = 0; file < findings.files.size(); ++file) {
    row.cells.push_back(cell_of(findings.files[file].settings[place], notes));
    if (const auto* answers = answers_of(findings, file, setting.name))
      add_answers(*answers, row.cells.back(), notes);
  }
  return row;
}

/// Settings that only items are asked under.
std::vector<HeatRow> answer_rows(const Findings& findings, Notes& notes) {
  std::vector<HeatRow> rows;
  if (!findings.answers) return rows;
  const auto& grid = findings.files.front().settings;
  for (const SettingAnswers& one : findings.answers->files.front().settings) {
    if (std::ranges::any_of(
            grid, [&](const SettingFindings& row) { return row.setting.name == one.name; }))
      continue;
    HeatRow row{.name = one.name, .change = one.change, .pinned = one.pinned, .cells = {}};
    for (std::size_t file = 0; file < findings.files.size(); ++file) {
      row.cells.push_back({.number = kNothing});
      if (const auto* answers = answers_of(findings, file, one.name))
        add_answers(*answers, row.cells.back(), notes);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

HeatRow pair_row(const Findings& findings, const PairFindings& pair, Notes& notes) {
  HeatRow row{.name = findings.files[pair.file].name,
              .change = "against " + findings.files.front().name,
              .pinned = false,
              .cells = std::vector<HeatCell>(findings.files.size(), {.number = kNothing})};
  HeatCell& cell = row.cells[pair.file];
  cell = cell_of(pair.divergences);
  if (!pair.divergences) cell = {.number = "failed", .note = notes.number_of(pair.reason)};
  if (findings.answers && pair.file <= findings.answers->pairs.size())
    add_answers(findings.answers->pairs[pair.file - 1], cell, notes);
  return row;
}

std::string note_mark(const HeatCell& cell) {
  return cell.note == 0 ? "" : fmt::format(" [{}]", cell.note);
}

std::string html_cell(const HeatCell& cell) {
  const std::string kind = cell.level              ? fmt::format("h{}", *cell.level)
                           : cell.number == kEqual ? "equal"
                                                   : "none";
  std::string text = fmt::format("<td class=\"{}\">{}{}", kind, cell.number, note_mark(cell));
  if (!cell.answers.empty())
    text += fmt::format("<br><small>{} answers</small>", html_escaped(cell.answers));
  return text + "</td>";
}

std::string html_row(const HeatRow& row) {
  std::string text =
      fmt::format("<tr><th scope=\"row\">{}{}<br><small>{}</small></th>", html_escaped(row.name),
                  row.pinned ? " <small>(pinned)</small>" : "", html_escaped(row.change));
  for (const HeatCell& cell : row.cells) text += html_cell(cell);
  return text + "</tr>\n";
}

std::string legend() {
  std::string text = "<p class=\"legend\" aria-hidden=\"true\"><span class=\"equal\">equal</span>";
  for (int level = 0; level <= kHottest; ++level)
    text += fmt::format("<span class=\"h{}\">{}1e{}</span>", level, level == 0 ? "≤" : "",
                        static_cast<int>(kColdestDecade) + level);
  return text + "</p>\n";
}

}  // namespace

int heat_level(double divergence) {
  const double level = std::ceil(std::log10(divergence) - kColdestDecade);
  return static_cast<int>(std::clamp(level, 0.0, static_cast<double>(kHottest)));
}

HeatMap heat_of(const Findings& findings) {
  HeatMap map;
  Notes notes;
  for (const FileFindings& file : findings.files) map.files.push_back(file.name);
  for (std::size_t place = 0; place < findings.files.front().settings.size(); ++place)
    map.rows.push_back(setting_row(findings, place, notes));
  std::ranges::move(answer_rows(findings, notes), std::back_inserter(map.rows));
  for (const PairFindings& pair : findings.pairs)
    map.rows.push_back(pair_row(findings, pair, notes));
  map.notes = std::move(notes.texts);
  return map;
}

Table table_of(const HeatMap& map, const std::string& id) {
  Table table{.id = id,
              .title = "Settings and files",
              .headers = {"Setting", "Change"},
              .rows = {},
              .labels = 2,
              .notes = {"Mean KL in nats; beside it the answers that changed, where items were "
                        "asked."}};
  table.headers.insert(table.headers.end(), map.files.begin(), map.files.end());
  for (const HeatRow& row : map.rows) {
    std::vector<std::string> cells{row.name + (row.pinned ? " (pinned)" : ""), row.change};
    for (const HeatCell& cell : row.cells)
      cells.push_back(cell.number + note_mark(cell) +
                      (cell.answers.empty() ? "" : "; " + cell.answers));
    table.rows.push_back(std::move(cells));
  }
  for (std::size_t i = 0; i < map.notes.size(); ++i)
    table.notes.push_back(fmt::format("[{}] {}", i + 1, map.notes[i]));
  return table;
}

std::string html(const HeatMap& map) {
  std::string text =
      "<section id=\"heat\">\n<h2>Settings and files</h2>\n<div class=\"wide\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"Settings and files\"><table class=\"heat\">\n<caption>Mean KL "
      "in nats of each setting from the reference; below it the answers that changed, where items "
      "were asked</caption>\n<thead><tr><th scope=\"col\">Setting</th>";
  for (const std::string& file : map.files)
    text += fmt::format("<th scope=\"col\">{}</th>", html_escaped(file));
  text += "</tr></thead>\n<tbody>\n";
  for (const HeatRow& row : map.rows) text += html_row(row);
  text += "</tbody></table></div>\n" + legend();
  for (std::size_t i = 0; i < map.notes.size(); ++i)
    text += fmt::format("<p class=\"note\">[{}] {}</p>\n", i + 1, html_escaped(map.notes[i]));
  return text + "</section>\n";
}

}  // namespace tare::floor
