#pragma once

#include <string>
#include <string_view>

namespace tare::base {

/// Both from 1; columns in code points.
struct Position {
  int line = 1;
  int column = 1;
};

Position position_of(std::string_view text, std::size_t offset);

/// "line 2, column 5".
std::string line_and_column(std::string_view text, std::size_t offset);

/// What stands at a byte offset, for an error text: "'x'", "a line end", "the end of the text".
std::string found_at(std::string_view text, std::size_t offset);

}  // namespace tare::base
