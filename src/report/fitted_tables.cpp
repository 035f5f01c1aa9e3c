#include "report/fitted_tables.h"

#include <utf8proc.h>

#include <algorithm>

#include "base/unicode.h"
#include "report/text_table.h"

namespace tare::report {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kEllipsis = "…";

std::size_t letter_width(char32_t letter) {
  return static_cast<std::size_t>(
      std::max(0, utf8proc_charwidth(static_cast<utf8proc_int32_t>(letter))));
}

bool is_number(std::string_view text) {
  constexpr std::string_view kSigns = "+-−±%.,:e()[]";
  bool digit = false;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    digit = digit || is_digit;
    if (!is_digit && kSigns.find(c) == std::string_view::npos && c != ' ') return false;
  }
  return digit;
}

std::vector<FittedColumn> columns_of(const std::vector<Row>& rows) {
  std::vector<FittedColumn> columns;
  for (const Row& row : rows) {
    columns.resize(std::max(columns.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t width = display_width(row[i]);
      columns[i].width = std::max(columns[i].width, width);
      if (is_number(row[i])) columns[i].least = std::max(columns[i].least, width);
    }
  }
  return columns;
}

std::string padded(const std::string& cell, std::size_t width, bool right) {
  const std::string text = shortened(cell, width);
  const std::string spaces(width - std::min(width, display_width(text)), ' ');
  return right ? spaces + text : text + spaces;
}

/// The cells of "| a | b |", without their padding; an escaped bar is part of its cell.
Row cells_of(std::string_view line) {
  Row row{""};
  line.remove_prefix(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      row.back() += "\\|";
      ++i;
    } else if (line[i] == '|') {
      row.emplace_back();
    } else {
      row.back() += line[i];
    }
  }
  row.pop_back();
  for (std::string& cell : row) {
    const std::string_view text = base::unicode::strip(cell);
    // Before the name of a group's task it shows how deep the group is.
    const std::size_t indent = text.starts_with("- ") ? cell.find('-') : 0;
    cell = std::string(indent, ' ') + std::string(text);
  }
  return row;
}

bool is_rule(const Row& row) {
  return !row.empty() && std::ranges::all_of(row, [](const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("-: ") == std::string::npos;
  });
}

std::string rule(const Row& row, const std::vector<FittedColumn>& columns) {
  std::string line = "|";
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::string dashes(columns[i].width, '-');
    if (row[i].ends_with(':') && !dashes.empty()) dashes.back() = ':';
    line += dashes + "|";
  }
  return line + "\n";
}

/// Places that the columns and their bars take at the least.
std::size_t least_width(const std::vector<FittedColumn>& columns) {
  std::size_t width = columns.size() + 1;
  for (const FittedColumn& column : columns) width += std::min(column.width, column.least);
  return width;
}

std::vector<FittedColumn> columns_of_table(std::vector<Row> rows) {
  std::erase_if(rows, is_rule);
  return columns_of(rows);
}

/// Takes spare columns out of the rows until the others can fit; returns their headers.
std::vector<std::string> leave_out(std::vector<Row>& rows, std::size_t width, SpareColumns spare) {
  std::vector<std::string> headers;
  for (const std::string_view header : spare) {
    if (least_width(columns_of_table(rows)) <= width) break;
    const auto found = std::ranges::find(rows.front(), header);
    if (found == rows.front().end()) continue;
    headers.push_back(*found);
    const auto column = found - rows.front().begin();
    for (Row& row : rows)
      if (column < std::ssize(row)) row.erase(row.begin() + column);
  }
  return headers;
}

std::string narrow_table(const std::vector<std::string_view>& lines, std::size_t width,
                         SpareColumns spare) {
  std::vector<Row> rows;
  for (const std::string_view line : lines) rows.push_back(cells_of(line));
  const std::vector<std::string> left_out = leave_out(rows, width, spare);
  const auto mark = std::ranges::find_if(rows, is_rule);
  const Row marks = mark == rows.end() ? Row{} : *mark;
  std::vector<FittedColumn> columns = columns_of_table(rows);
  const std::size_t bars = columns.size() + 1;
  narrow(columns, width > bars ? width - bars : 1);
  std::string out;
  for (const Row& row : rows) {
    if (is_rule(row)) {
      out += rule(row, columns);
      continue;
    }
    out += "|";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += padded(row[i], columns[i].width, i < marks.size() && marks[i].ends_with(':')) + "|";
    out += "\n";
  }
  return left_out.empty() ? out : out + left_out_note(left_out, width) + "\n";
}

bool is_table_line(std::string_view line) {
  return line.size() > 1 && line.front() == '|' && line.back() == '|';
}

/// The lines of the table as they are, if they fit.
std::string fitted(const std::vector<std::string_view>& lines, std::size_t width,
                   SpareColumns spare) {
  const bool fits =
      std::ranges::all_of(lines, [&](auto line) { return display_width(line) <= width; });
  if (!fits) return narrow_table(lines, width, spare);
  std::string out;
  for (const std::string_view line : lines) out += std::string(line) + "\n";
  return out;
}

/// A line in several, those behind the first two places further in.
std::string folded(std::string_view line, std::size_t width) {
  const std::size_t margin = std::min(line.find_first_not_of(' '), line.size());
  if (display_width(line) <= width || margin >= width) return std::string(line);
  const std::string indent(margin, ' ');
  std::string out = indent;
  for (const char c : wrapped(line.substr(margin), width - margin, "  "))
    out += c == '\n' ? "\n" + indent : std::string(1, c);
  return out;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();)
    width += letter_width(base::unicode::decode(text, at));
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::size_t used = 1;
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    used += letter_width(base::unicode::decode(text, at));
    if (used > width) break;
    end = at;
  }
  return std::string(text.substr(0, end)) + std::string(kEllipsis);
}

std::string shortened_inside(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  const std::u32string letters = base::unicode::to_utf32(text);
  const std::size_t room = width > 0 ? width - 1 : 0;
  // What sets names apart is more often at their ends.
  std::size_t first = 0, last = letters.size(), used = 0;
  while (used + letter_width(letters[first]) <= room / 2) used += letter_width(letters[first++]);
  while (used + letter_width(letters[last - 1]) <= room) used += letter_width(letters[--last]);
  return base::unicode::to_utf8(letters.substr(0, first)) + std::string(kEllipsis) +
         base::unicode::to_utf8(letters.substr(last));
}

void narrow(std::vector<FittedColumn>& columns, std::size_t room) {
  const auto spare = [](const FittedColumn& c) { return c.width > c.least ? c.width : 0; };
  std::size_t used = 0;
  for (const FittedColumn& column : columns) used += column.width;
  for (; used > room; --used) {
    const auto widest = std::ranges::max_element(columns, {}, spare);
    if (widest == columns.end() || spare(*widest) == 0) return;
    --widest->width;
  }
}

std::string fit_tables(std::string_view text, std::size_t width, SpareColumns spare) {
  std::string out;
  std::vector<std::string_view> table;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (is_table_line(line)) {
      table.push_back(line);
    } else {
      out += fitted(table, width, spare);
      table.clear();
      out += std::string(line) + (end < text.size() ? "\n" : "");
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + fitted(table, width, spare);
}

std::string fit_text(std::string_view text, std::size_t width, SpareColumns spare) {
  const std::string tables = fit_tables(text, width, spare);
  std::string_view rest = tables;
  std::string out;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    out += is_table_line(line) ? std::string(line) : folded(line, width);
    if (end < rest.size()) out += '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::string aligned_rows(const std::vector<Row>& rows, std::size_t width) {
  constexpr std::size_t kGap = 2;
  std::vector<FittedColumn> columns = columns_of(rows);
  const std::size_t gaps = columns.empty() ? 0 : kGap * (columns.size() - 1);
  narrow(columns, width > gaps ? width - gaps : 1);
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += (i == 0 ? "" : std::string(kGap, ' ')) + padded(row[i], columns[i].width, false);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace tare::report
