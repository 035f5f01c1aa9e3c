#include "text/regex/reader.h"

#include <algorithm>

namespace tare::text::regex {

unsigned hex_value(char32_t c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

char32_t control_escape(char32_t letter) {
  static constexpr std::u32string_view kLetters = U"abfnrtv\\";
  static constexpr std::u32string_view kMeanings = U"\a\b\f\n\r\t\v\\";
  const auto found = kLetters.find(letter);
  return found == std::u32string_view::npos ? kEnd : kMeanings[found];
}

bool is_identifier(std::u32string_view name) {
  if (name.empty() || (name[0] != '_' && !base::unicode::is_alpha(name[0]))) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char32_t c) { return c == '_' || base::unicode::is_alnum(c); });
}

std::u32string Reader::digits() {
  std::u32string out;
  while (is_digit(peek())) out += next();
  return out;
}

base::Result<char32_t> Reader::hex(int count) {
  const std::size_t start = position_ - 2;
  char32_t value = 0;
  for (int i = 0; i < count; ++i) {
    const unsigned digit = hex_value(peek());
    if (digit > 15) return error_at(start, "incomplete escape");
    value = value * 16 + digit;
    ++position_;
  }
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
    return error_at(start, "escape of what is no character");
  return value;
}

base::Result<char32_t> Reader::octal(char32_t first, int most) {
  const std::size_t start = position_ - 2;
  char32_t value = first - '0';
  for (int i = 1; i < most && is_octal(peek()); ++i) value = value * 8 + (next() - '0');
  if (value > 0377) return error_at(start, "octal escape outside of range 0-0o377");
  return value;
}

base::Result<std::u32string> Reader::name_until(char32_t end) {
  const std::size_t start = position_;
  std::u32string name;
  while (!at_end() && peek() != end) name += next();
  if (at_end()) return error_at(start, "unterminated name");
  ++position_;
  if (name.empty()) return error_at(start, "missing group name");
  return name;
}

}  // namespace tare::text::regex
