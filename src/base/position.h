#pragma once

#include <string>
#include <string_view>

namespace tare::base {

/// "line 2, column 5" of a byte offset: both from 1, columns in code points.
std::string line_and_column(std::string_view text, std::size_t offset);

/// What stands at a byte offset, for an error text: "'x'", "a line end", "the end of the text".
std::string found_at(std::string_view text, std::size_t offset);

}  // namespace tare::base
