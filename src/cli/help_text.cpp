#include "cli/help_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/fitted_tables.h"
#include "report/text_table.h"

namespace tare::cli {
namespace {

constexpr std::size_t kMargin = 2;
/// Meanings stand in a column of their own, behind headings up to this long, ...
constexpr std::size_t kWidestHeading = 26;
/// ... or, where that would leave them too little room, below their headings.
constexpr std::size_t kLeastRoom = 30, kBelow = 6;

std::string positional_heading(const OptionRow& row) {
  const std::string kind = row.value == "TEXT" ? "" : " " + row.value;
  return row.names[0] + kind + (row.many ? " ..." : "");
}

std::string indented(std::string text, std::size_t columns) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text.insert(++at, columns, ' ');
  return text;
}

/// A heading in lines that fit: broken at blanks, and behind the bars between choices.
std::string folded_heading(std::string_view heading, std::size_t width) {
  constexpr std::size_t kFurther = 2 * kMargin;
  std::string out(kMargin, ' ');
  std::size_t column = kMargin;
  while (!heading.empty()) {
    const std::size_t end = std::min(heading.find_first_of(" |"), heading.size() - 1) + 1;
    const std::string_view piece = heading.substr(0, end);
    heading.remove_prefix(end);
    const std::size_t letters = report::display_width(piece) - (piece.ends_with(' ') ? 1 : 0);
    if (column > kFurther && column + letters > width) {
      out = out.substr(0, out.find_last_not_of(' ') + 1) + "\n" + std::string(kFurther, ' ');
      column = kFurther;
    }
    out += piece;
    column += report::display_width(piece);
  }
  return out;
}

std::string entry(const std::string& heading, const std::string& meaning, std::size_t width) {
  constexpr std::size_t kUsual = kMargin + kWidestHeading + kMargin;
  const bool beside = width >= kUsual + kLeastRoom;
  const std::size_t column = beside ? kUsual : kBelow;
  std::string line = folded_heading(heading, width);
  if (meaning.empty()) return line + "\n";
  if (!beside || report::display_width(heading) > kWidestHeading)
    line += "\n" + std::string(column, ' ');
  else
    line += std::string(column - line.size(), ' ');
  const std::size_t room = width > column ? width - column : 1;
  return line + indented(report::wrapped(meaning, room), column) + "\n";
}

std::string section(const CommandPage& page, const std::string& heading, bool positional,
                    std::size_t width) {
  std::string text;
  for (const OptionRow& row : page.options)
    if (row.positional == positional && row.heading == heading)
      text += entry(positional ? positional_heading(row) : option_heading(row), row.meaning, width);
  return text;
}

std::string titled(const std::string& title, const std::string& text, std::size_t width) {
  return text.empty() ? "" : "\n" + report::wrapped(title + ":", width) + "\n" + text;
}

}  // namespace

std::string option_heading(const OptionRow& row) {
  std::string text = fmt::format("{}", fmt::join(row.names, ", "));
  if (row.value.empty()) return text;
  text += row.optional ? fmt::format(" [{}]", row.value) : " " + row.value;
  return text + (row.many ? " ..." : "");
}

std::string usage_line(const CommandPage& page) {
  std::string line = page.name + (page.commands.empty() ? " [OPTIONS]" : " COMMAND [OPTIONS]");
  for (const OptionRow& row : page.options) {
    if (!row.positional) continue;
    const std::string name = row.names[0] + (row.many ? " ..." : "");
    line += row.required ? " " + name : " [" + name + "]";
  }
  return line;
}

std::string help_text(const CommandPage& page, std::size_t width) {
  std::string text = report::wrapped(page.meaning, width) + "\n";
  text += report::wrapped("usage: " + usage_line(page), width, "  ") + "\n";
  std::string commands;
  for (const CommandPage& part : page.commands)
    commands += entry(part.name.substr(page.name.size() + 1), part.meaning, width);
  text += titled("commands", commands, width);
  text += titled("arguments", section(page, "", true, width), width);
  text += titled("options", section(page, "", false, width), width);
  std::vector<std::string> headings;
  for (const OptionRow& row : page.options)
    if (!row.heading.empty() && std::ranges::count(headings, row.heading) == 0)
      headings.push_back(row.heading);
  for (const std::string& heading : headings)
    text += titled(heading, section(page, heading, false, width), width);
  return text;
}

}  // namespace tare::cli
