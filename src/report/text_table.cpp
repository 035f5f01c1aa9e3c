#include "report/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utf8proc.h>

#include <algorithm>
#include <numeric>

#include "base/unicode.h"

namespace tare::report {
namespace {

using Row = std::vector<std::string>;
using Columns = std::vector<std::size_t>;

constexpr std::size_t kGap = 2;

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();)
    width += static_cast<std::size_t>(std::max(
        utf8proc_charwidth(static_cast<utf8proc_int32_t>(base::unicode::decode(text, at))), 0));
  return width;
}

Columns widths_of(const TextTable& table) {
  Columns widths;
  for (std::size_t c = 0; c < table.headers.size(); ++c) {
    std::size_t width = width_of(table.headers[c]);
    for (const Row& row : table.rows) width = std::max(width, width_of(row[c]));
    widths.push_back(width);
  }
  return widths;
}

std::size_t total_of(const Columns& kept, const Columns& widths) {
  std::size_t total = 0;
  for (const std::size_t column : kept) total += widths[column] + (total > 0 ? kGap : 0);
  return total;
}

std::string line_of(const Row& row, const Columns& kept, const Columns& widths,
                    std::size_t labels) {
  std::string line;
  for (const std::size_t column : kept) {
    if (column != kept.front()) line.append(kGap, ' ');
    const std::string padding(widths[column] - width_of(row[column]), ' ');
    line += column < labels ? row[column] + padding : padding + row[column];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

bool turns_direction(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string text_table(const TextTable& table, std::size_t width) {
  const Columns widths = widths_of(table);
  Columns kept(table.headers.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  Row left_out;
  for (const std::size_t column : table.spare) {
    if (width == 0 || total_of(kept, widths) <= width) break;
    std::erase(kept, column);
    left_out.push_back(table.headers[column]);
  }
  std::string text = line_of(table.headers, kept, widths, table.labels);
  text += std::string(total_of(kept, widths), '-') + "\n";
  for (const Row& row : table.rows) text += line_of(row, kept, widths, table.labels);
  if (!left_out.empty())
    text +=
        wrapped(fmt::format("(left out for the width of {}: {})", width, fmt::join(left_out, ", ")),
                width, " ") +
        "\n";
  return text;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  if (width == 0) return std::string(text);
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0 && column + 1 + width_of(word) > width) {
      out += "\n";
      out += indent;
      column = width_of(indent);
    } else if (!out.empty()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width_of(word);
  }
  return out;
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

}  // namespace tare::report
