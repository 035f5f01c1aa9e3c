#include "floor/flips_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/foreign_text.h"

namespace tare::floor {
namespace {

using report::html_escaped;
using report::html_phrase;
using study::Change;
using study::Flip;

/// Of a setting. All of them are in flips.jsonl.
constexpr std::size_t kMostItems = 100;
/// Of a text.
constexpr std::size_t kMostCharacters = 20'000;
constexpr std::size_t kPhrase = 60, kQuestion = 140;

/// Two runs whose answers are compared.
struct Side {
  std::string title;          ///< "tier-avx on a.gguf"
  std::string first, second;  ///< what each run is
  const SettingAnswers* answers;
};

std::vector<Side> sides_of(const Answers& answers) {
  std::vector<Side> sides;
  for (const FileAnswers& file : answers.files)
    for (const SettingAnswers& setting : file.settings)
      sides.push_back({fmt::format("{} on {}", setting.name, file.name),
                       setting.fewer_items ? "before" : "reference", setting.name, &setting});
  for (std::size_t i = 0; i < answers.pairs.size(); ++i) {
    const std::string &first = answers.files.front().name, &second = answers.files[i + 1].name;
    sides.push_back(
        {fmt::format("{} against {}", second, first), first, second, &answers.pairs[i]});
  }
  return sides;
}

/// An item of a task, those whose worth changed first.
struct TaskFlip {
  const study::TaskFlips* task;
  const Flip* flip;
};

std::vector<TaskFlip> flips_of(const SettingAnswers& answers) {
  std::vector<TaskFlip> flips;
  for (const study::TaskFlips& task : answers.tasks)
    for (const Flip& flip : task.flips) flips.push_back({&task, &flip});
  std::ranges::stable_sort(flips, {}, [](const TaskFlip& one) { return one.flip->change; });
  return flips;
}

std::string_view css_class(Change change) {
  switch (change) {
    case Change::lost:
      return "lost";
    case Change::won:
      return "won";
    default:
      return "other";
  }
}

std::string texts_html(const std::vector<std::string>& texts) {
  std::string html;
  for (const std::string& text : texts) html += report::html_block(text, kMostCharacters);
  return html;
}

std::string part(std::string_view name, const std::string& html) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_escaped(name), html);
}

std::string item_html(const Side& side, const TaskFlip& one) {
  const Flip& flip = *one.flip;
  std::string html = fmt::format(
      "<details class=\"flip\"><summary><span class=\"change {}\">{}</span> {} {}: {} → {} "
      "(right: {}) <small><bdi>{}</bdi></small></summary>\n<dl>\n",
      css_class(flip.change), study::change_name(flip.change), html_escaped(one.task->task),
      flip.document, html_phrase(flip.first, kPhrase), html_phrase(flip.second, kPhrase),
      html_phrase(flip.target, kPhrase),
      html_escaped(report::one_line_end(flip.prompt, kQuestion)));
  html += part("Prompt", report::html_block(flip.prompt, kMostCharacters));
  html += part("Right answer", report::html_block(flip.target, kMostCharacters));
  html += part(side.first + " answers", texts_html(flip.first_outputs));
  html += part(side.second + " answers", texts_html(flip.second_outputs));
  return html + "</dl></details>\n";
}

std::string count_text(const SettingAnswers& answers) {
  const study::TaskFlips all = study::together(answers.tasks);
  const std::string text = fmt::format(
      "{} of {} answers changed: {} right to wrong, {} wrong to right, {} wrong to other wrong",
      all.answers_changed, all.items, all.verdicts.only_first, all.verdicts.only_second,
      all.wrong_to_other);
  if (all.texts == 0) return text;
  return fmt::format("{}; {} of {} texts changed", text, all.texts_changed, all.texts);
}

std::string side_html(const Side& side) {
  const std::vector<TaskFlip> flips = flips_of(*side.answers);
  if (flips.empty()) return "";
  std::string html = fmt::format("<details class=\"setting\"><summary><b>{}</b>: {}</summary>\n",
                                 html_escaped(side.title), count_text(*side.answers));
  if (flips.size() > kMostItems)
    html += fmt::format("<p class=\"note\">{} of {} items; all are in flips.jsonl.</p>\n",
                        kMostItems, flips.size());
  for (std::size_t i = 0; i < std::min(flips.size(), kMostItems); ++i)
    html += item_html(side, flips[i]);
  return html + "</details>\n";
}

std::string cell(const std::string& text) {
  return report::one_line(text, kPhrase);
}

}  // namespace

report::Table flips_table(const Answers& answers, const std::string& id) {
  report::Table table{.id = id,
                      .title = "Items that were not answered alike",
                      .headers = {"Setting", "Task", "Item", "Change", "Before", "After", "Right"},
                      .rows = {},
                      .labels = 7,
                      .notes = {"Prompts and outputs are in floor.html and flips.jsonl."}};
  std::size_t all = 0;
  for (const Side& side : sides_of(answers))
    for (const TaskFlip& one : flips_of(*side.answers)) {
      if (++all > kMostItems) continue;
      table.rows.push_back({side.title, one.task->task, std::to_string(one.flip->document),
                            std::string(study::change_name(one.flip->change)),
                            cell(one.flip->first), cell(one.flip->second), cell(one.flip->target)});
    }
  if (all > kMostItems)
    table.notes.push_back(fmt::format("{} of {} items are shown.", kMostItems, all));
  return table;
}

std::string flips_html(const Answers& answers) {
  std::string html = "<section id=\"flips\">\n<h2>Items that were not answered alike</h2>\n";
  std::string items;
  for (const Side& side : sides_of(answers)) items += side_html(side);
  if (items.empty()) items = "<p>All items were answered alike.</p>\n";
  return html + items + "</section>\n";
}

}  // namespace tare::floor
