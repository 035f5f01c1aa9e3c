#include "base/position.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "base/unicode.h"

namespace tare::base {

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t column = 1 + unicode::length(before.substr(line_start));
  return {static_cast<int>(line), static_cast<int>(column)};
}

std::string line_and_column(std::string_view text, std::size_t offset) {
  const Position at = position_of(text, offset);
  return fmt::format("line {}, column {}", at.line, at.column);
}

std::string found_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  if (text[offset] == '\n' || text[offset] == '\r') return "a line end";
  std::size_t next = offset;
  unicode::decode(text, next);
  const std::string_view found = text.substr(offset, next - offset);
  if (!unicode::valid(found))
    return fmt::format("the byte 0x{:02X}, which is no UTF-8",
                       static_cast<unsigned char>(text[offset]));
  return python::repr(found);
}

}  // namespace tare::base
