#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

/// What is known of who reads: a terminal or another program.
namespace tare::cli {

enum class Stream { output, errors };

bool is_terminal(Stream stream);

/// Letters in a line of the terminal that shows standard output: COLUMNS, else what it says itself.
/// None where nobody sets a limit: a file, a pipe.
std::optional<std::size_t> output_width();

/// The width of help, which is folded for a file too; neither too narrow nor too wide to read.
std::size_t help_width();

/// Prints on standard output; a terminal gets tables that fit its width.
void print_fitted(std::string_view text);

/// Colours are for terminals that can show them, and never where NO_COLOR is set (no-color.org).
bool has_colours(Stream stream);

}  // namespace tare::cli
