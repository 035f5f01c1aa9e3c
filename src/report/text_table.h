#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tare::report {

/// A table for a screen.
struct TextTable {
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `headers`
  std::size_t labels = 1;                      ///< columns at the left that name the row
  /// Columns that may be left out where the width is short, the least needed first.
  std::vector<std::size_t> spare;
};

/// The table in columns two blanks apart, labels on the left, the others on the right. With a
/// `width` above 0 its lines are made to fit: spare columns are left out as long as labels of
/// twenty places would not have room, and a last line names them; then the middles of long labels
/// go.
std::string text_table(const TextTable& table, std::size_t width = 0);

/// Text in lines of at most `width` columns, broken at blanks; 0: as it is. Lines after the first
/// begin with `indent`.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent = "");

/// The same, in which a word that is wider than a line is broken too.
std::string filled(std::string_view text, std::size_t width, std::string_view indent = "");

/// Foreign text as a terminal may have it: control characters, but for line ends, and those that
/// turn the direction of writing are replaced by U+FFFD.
std::string on_screen(std::string_view text);

/// The same for text inside a line: a line end is shown as the two letters "\n".
std::string on_screen_line(std::string_view text);

/// "(left out for the width of 60: p, κ)", in lines that fit.
std::string left_out_note(const std::vector<std::string>& headers, std::size_t width);

}  // namespace tare::report
