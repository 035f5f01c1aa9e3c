#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What is known of who reads: a terminal or another program.
namespace tare::cli {

enum class Stream { output, errors };

bool is_terminal(Stream stream);

/// Letters in a line of the terminal that shows standard output: COLUMNS, else what it says itself.
/// None where nobody sets a limit: a file, a pipe.
std::optional<std::size_t> output_width();

/// The same of the terminal that shows standard error.
std::optional<std::size_t> errors_width();

/// The width of help, which is folded for a file too; neither too narrow nor too wide to read.
std::size_t help_width();

/// Foreign text as the stream may have it: a terminal gets no control characters but line ends and
/// tabs, another program gets all.
std::string shown_on(Stream stream, std::string_view text);

/// Prints on standard output what that may have of the text, line by line as it is.
void print_text(std::string_view text);

/// Headers of columns that a table may do without, the least needed first.
using SpareColumns = std::span<const std::string_view>;

/// The same, but a terminal gets lines that fit its width: tables are narrowed, in the end by their
/// spare columns, and other lines are folded.
void print_fitted(std::string_view text, SpareColumns spare = {});

/// Colours are for terminals that can show them, and never where NO_COLOR is set (no-color.org).
bool has_colours(Stream stream);

}  // namespace tare::cli
