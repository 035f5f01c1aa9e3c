#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Text for a terminal that is so many letters wide.
namespace tare::report {

/// Places that a text takes: wide East Asian letters take two, marks that stand on others none.
std::size_t display_width(std::string_view text);

/// The text, or its beginning with an ellipsis, in at most `width` places (at least one).
std::string shortened(std::string_view text, std::size_t width);

/// The same with the ellipsis in the middle: names that begin alike stay apart.
std::string shortened_inside(std::string_view text, std::size_t width);

/// A text that was cut shorter than this tells nothing.
inline constexpr std::size_t kNarrowestText = 6;

/// A column of a table that is made to fit.
struct FittedColumn {
  std::size_t width = 0;
  std::size_t least = kNarrowestText;  ///< of numbers the width: they stay whole
};

/// Takes places from the widest column that has some to give, until all together take no more than
/// `room` or none has any left.
void narrow(std::vector<FittedColumn>& columns, std::size_t room);

/// Headers of columns that a table may do without where the width is short, the least needed first.
using SpareColumns = std::span<const std::string_view>;

/// The text with each markdown table in it that is wider than `width` made to fit: padding goes
/// first, then the ends of the widest texts, then spare columns, which a line below the table
/// names. Numbers stay whole, so that a table of many numbers may stay wider.
std::string fit_tables(std::string_view text, std::size_t width, SpareColumns spare = {});

/// The same, and other lines that are wider are folded at their blanks, each further indented than
/// where it began.
std::string fit_text(std::string_view text, std::size_t width, SpareColumns spare = {});

/// Rows in columns, two spaces apart; what is wider than `width` loses the ends of its widest
/// texts. Each row ends with a newline.
std::string aligned_rows(const std::vector<std::vector<std::string>>& rows, std::size_t width);

}  // namespace tare::report
