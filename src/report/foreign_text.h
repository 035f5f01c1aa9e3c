#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Texts of models and data sets, which may hold anything, made fit to be looked at.
namespace tare::report {

/// UTF-8 in which nothing is hidden: control characters and those that turn the direction of text
/// are shown by number ("⟨U+202E⟩"), bytes that are no UTF-8 as U+FFFD. Line ends and tabs stay.
std::string visible(std::string_view text);

/// The same in one line of at most `most` characters, from its beginning; "…" says that more comes.
std::string one_line(std::string_view text, std::size_t most);
/// From its end.
std::string one_line_end(std::string_view text, std::size_t most);

/// HTML of a short text in a sentence, whose direction stays inside.
std::string html_phrase(std::string_view text, std::size_t most);

/// HTML of a text of any length as it is, line by line: at most `most` characters, with the number
/// of those that were left out; a long one is folded.
std::string html_block(std::string_view text, std::size_t most);

}  // namespace tare::report
