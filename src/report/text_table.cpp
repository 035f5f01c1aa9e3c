#include "report/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/unicode.h"
#include "report/fitted_tables.h"

namespace tare::report {
namespace {

using Row = std::vector<std::string>;
using Kept = std::vector<std::size_t>;
using Columns = std::vector<FittedColumn>;

constexpr std::size_t kGap = 2;
/// A label of so many places can be read, so that columns go before more of it does.
constexpr std::size_t kReadable = 20;

Columns columns_of(const TextTable& table) {
  Columns columns;
  for (std::size_t c = 0; c < table.headers.size(); ++c) {
    std::size_t width = display_width(table.headers[c]);
    for (const Row& row : table.rows) width = std::max(width, display_width(row[c]));
    columns.push_back({width, c < table.labels ? std::min(width, kReadable) : width});
  }
  return columns;
}

std::size_t gaps_of(const Kept& kept) {
  return kept.empty() ? 0 : kGap * (kept.size() - 1);
}

std::size_t total_of(const Kept& kept, const Columns& columns, std::size_t FittedColumn::*places) {
  std::size_t total = gaps_of(kept);
  for (const std::size_t column : kept) total += columns[column].*places;
  return total;
}

/// The labels give up what is needed.
void fit(const Kept& kept, std::size_t labels, std::size_t width, Columns& columns) {
  Columns fitted;
  for (const std::size_t column : kept) {
    fitted.push_back(columns[column]);
    if (column < labels) fitted.back().least = std::min(columns[column].width, kNarrowestText);
  }
  narrow(fitted, width > gaps_of(kept) ? width - gaps_of(kept) : 1);
  for (std::size_t i = 0; i < kept.size(); ++i) columns[kept[i]] = fitted[i];
}

std::string line_of(const Row& row, const Kept& kept, const Columns& columns, std::size_t labels) {
  std::string line;
  for (const std::size_t column : kept) {
    if (column != kept.front()) line.append(kGap, ' ');
    const std::string cell = shortened_inside(row[column], columns[column].width);
    const std::string padding(columns[column].width - display_width(cell), ' ');
    line += column < labels ? cell + padding : padding + cell;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// The beginning of a word that takes at most `width` places, one letter at least.
std::string_view beginning(std::string_view word, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < word.size(); end = at) {
    base::unicode::decode(word, at);
    if (end > 0 && display_width(word.substr(0, at)) > width) break;
  }
  return word.substr(0, end);
}

bool turns_direction(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

std::string in_lines(std::string_view text, std::size_t width, std::string_view indent,
                     bool breaks_words) {
  if (width == 0) return std::string(text);
  std::string out;
  std::size_t column = 0;
  const auto next_line = [&] {
    out += "\n";
    out += indent;
    column = display_width(indent);
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0 && column + 1 + display_width(word) > width) {
      next_line();
    } else if (!out.empty()) {
      out += ' ';
      ++column;
    }
    while (breaks_words && width > column && column + display_width(word) > width) {
      const std::string_view part = beginning(word, width - column);
      out += part;
      word.remove_prefix(part.size());
      next_line();
    }
    out += word;
    column += display_width(word);
  }
  return out;
}

}  // namespace

std::string text_table(const TextTable& table, std::size_t width) {
  Columns columns = columns_of(table);
  Kept kept(table.headers.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  Row left_out;
  for (const std::size_t column : table.spare) {
    if (width == 0 || total_of(kept, columns, &FittedColumn::least) <= width) break;
    std::erase(kept, column);
    left_out.push_back(table.headers[column]);
  }
  if (width > 0) fit(kept, table.labels, width, columns);
  std::string text = line_of(table.headers, kept, columns, table.labels);
  text += std::string(total_of(kept, columns, &FittedColumn::width), '-') + "\n";
  for (const Row& row : table.rows) text += line_of(row, kept, columns, table.labels);
  if (!left_out.empty()) text += left_out_note(left_out, width) + "\n";
  return text;
}

std::string left_out_note(const std::vector<std::string>& headers, std::size_t width) {
  return wrapped(fmt::format("(left out for the width of {}: {})", width, fmt::join(headers, ", ")),
                 width, " ");
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  return in_lines(text, width, indent, false);
}

std::string filled(std::string_view text, std::size_t width, std::string_view indent) {
  return in_lines(text, width, indent, true);
}

std::string on_screen(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = base::unicode::decode(text, at);
    const bool control = (c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0);
    base::unicode::append(out, control || turns_direction(c) ? U'\uFFFD' : c);
  }
  return out;
}

std::string on_screen_line(std::string_view text) {
  std::string out = on_screen(text);
  for (auto at = out.find('\n'); at != std::string::npos; at = out.find('\n', at + 2))
    out.replace(at, 1, "\\n");
  return out;
}

}  // namespace tare::report
