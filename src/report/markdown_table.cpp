#include "report/markdown_table.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/python.h"
#include "base/unicode.h"

namespace tare::report {
namespace {

using base::Value;

enum class Kind { empty, text, integer, real, infinite, nan };

struct Cell {
  Kind kind = Kind::empty;
  std::string text;
  double number = 0;
};

struct Column {
  Kind kind = Kind::empty;
  std::size_t decimals = 0;
  std::size_t width = 0;
  [[nodiscard]] bool right() const { return kind == Kind::integer || kind == Kind::real; }
};

bool is_decimal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return digits(text);
  return digits(text.substr(0, point)) && digits(text.substr(point + 1));
}

Cell number_cell(double number) {
  if (std::isnan(number)) return {Kind::nan, "NaN"};
  // The writer drops the sign of an infinity.
  if (std::isinf(number)) return {Kind::infinite, "Infinity"};
  const bool whole = std::trunc(number) == number;
  return {whole ? Kind::integer : Kind::real, "", number == 0 ? 0 : number};
}

/// A line end in a name would be one of the table.
std::string in_one_line(std::string text) {
  for (const auto& [sign, shown] : {std::pair('\n', "\\n"), std::pair('\r', "\\r")})
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at + 2))
      text.replace(at, 1, shown);
  return text;
}

Cell text_cell(const std::string& text) {
  if (text.empty()) return {};
  const std::string_view magnitude = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  if (!is_decimal(text) && magnitude != "nan" && magnitude != "inf") return {Kind::text, text};
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number_cell(number);
}

/// Reads the cells of a column one after another: a text that looks like a number is left a text
/// while texts are the most frequent kind above it.
class ColumnReader {
 public:
  Cell read(const Value& value) {
    Cell cell = classify(value);
    count(cell.kind);
    return cell;
  }

 private:
  [[nodiscard]] Cell classify(const Value& value) const {
    if (value.is_none()) return {};
    if (value.is_number()) return number_cell(value.as_number());
    const std::string text = in_one_line(base::python::str(value));
    const bool keep = !text.empty() && most_frequent() == Kind::text;
    return keep ? Cell{Kind::text, text} : text_cell(text);
  }

  /// The first to come on a tie.
  [[nodiscard]] Kind most_frequent() const {
    if (counts_.empty()) return Kind::empty;
    return std::max_element(counts_.begin(), counts_.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }

  void count(Kind kind) {
    const auto found = std::find_if(counts_.begin(), counts_.end(),
                                    [&](const auto& entry) { return entry.first == kind; });
    if (found == counts_.end())
      counts_.emplace_back(kind, 1);
    else
      ++found->second;
  }

  std::vector<std::pair<Kind, int>> counts_;
};

std::size_t decimals(const Cell& cell) {
  if (cell.kind != Kind::real) return 0;
  const std::string shortest = base::python::repr(std::abs(cell.number));
  const std::size_t point = shortest.find('.');
  return point == std::string::npos ? 0 : shortest.size() - point - 1;
}

/// The one kind of a column. Text makes all of it text; numbers of several kinds, or fractions
/// with empty cells between them, are fractions.
Kind common_kind(const std::vector<Cell>& cells) {
  const auto has = [&](Kind kind) {
    return std::any_of(cells.begin(), cells.end(), [&](const Cell& c) { return c.kind == kind; });
  };
  if (has(Kind::text)) return Kind::text;
  const int unusual = has(Kind::real) + has(Kind::infinite) + has(Kind::nan);
  if (unusual + has(Kind::integer) >= 2 || unusual + has(Kind::empty) >= 2) return Kind::real;
  for (Kind kind : {Kind::real, Kind::integer, Kind::infinite, Kind::nan})
    if (has(kind)) return kind;
  return Kind::empty;
}

std::string format_cell(const Column& column, const Cell& cell) {
  const bool as_real =
      cell.kind == Kind::real || (cell.kind == Kind::integer && column.kind == Kind::real);
  if (as_real) return fmt::format("{:.{}f}", cell.number, column.decimals);
  if (cell.kind == Kind::integer) return fmt::format("{:.0f}", cell.number);
  return cell.text;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = static_cast<utf8proc_int32_t>(base::unicode::decode(text, at));
    width += utf8proc_charwidth(letter) == 2 ? 2 : 1;
  }
  return width;
}

Column lay_out(const std::string& header, const std::vector<Cell>& cells) {
  constexpr std::size_t kNarrowest = 3;
  Column column;
  column.kind = common_kind(cells);
  for (const Cell& cell : cells) column.decimals = std::max(column.decimals, decimals(cell));
  column.width = std::max(kNarrowest, display_width(header));
  for (const Cell& cell : cells)
    column.width = std::max(column.width, display_width(format_cell(column, cell)));
  return column;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string padded(const Column& column, const Cell& cell) {
  const std::string text = format_cell(column, cell);
  const std::string padding(column.width - display_width(text), ' ');
  const bool number = cell.kind == Kind::integer || cell.kind == Kind::real;
  const bool right = column.right() || (column.kind == Kind::text && number);
  return escaped(right ? padding + text : text + padding);
}

std::string centered(const std::string& text, std::size_t width) {
  const std::size_t spare = width - display_width(text);
  return std::string(spare / 2, ' ') + text + std::string(spare - spare / 2, ' ');
}

std::string rule(const Column& column) {
  std::string dashes(column.width, '-');
  if (column.right()) dashes.back() = ':';
  return dashes;
}

}  // namespace

std::string markdown_table(const std::vector<std::string>& headers,
                           const std::vector<base::List>& rows) {
  std::string top = "|";
  std::string line = "|";
  std::vector<std::string> lines(rows.size(), "|");
  for (std::size_t c = 0; c < headers.size(); ++c) {
    ColumnReader reader;
    std::vector<Cell> cells;
    for (const base::List& row : rows) cells.push_back(reader.read(row[c]));
    const Column column = lay_out(headers[c], cells);
    top += centered(headers[c], column.width) + "|";
    line += rule(column) + "|";
    for (std::size_t r = 0; r < rows.size(); ++r) lines[r] += padded(column, cells[r]) + "|";
  }
  std::string table = top + "\n" + line + "\n";
  for (const std::string& row : lines) table += row + "\n";
  return table;
}

}  // namespace tare::report
