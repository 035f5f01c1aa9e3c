#include "base/position.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "base/unicode.h"

namespace tare::base {

std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t column = 1 + unicode::length(before.substr(line_start));
  return fmt::format("line {}, column {}", line, column);
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
