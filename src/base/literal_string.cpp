#include <fmt/format.h>

#include <charconv>

#include "base/literal_parts.h"
#include "base/unicode.h"

namespace tare::base::python {
namespace {

/// What stands before the contents of a string.
struct Opening {
  bool raw = false;
  bool triple = false;
  char quote = '"';
};

Result<Opening> read_opening(Cursor& cursor) {
  const std::size_t start = cursor.position();
  std::string prefix(cursor.word());
  cursor.skip(prefix.size());
  for (char& c : prefix) c = static_cast<char>(c | 0x20);
  if (prefix.find('b') != prefix.npos)
    return cursor.error_at(start, "found a bytes literal, wanted a string without b");
  if (prefix.find('f') != prefix.npos)
    return cursor.error_at(start, "found an f-string, wanted a string without f");
  if (!prefix.empty() && prefix != "r" && prefix != "u")
    return cursor.error_at(start, fmt::format("found the string prefix {}, wanted r or u", prefix));
  Opening opening{prefix == "r", false, cursor.peek()};
  opening.triple = cursor.peek(1) == opening.quote && cursor.peek(2) == opening.quote;
  cursor.skip(opening.triple ? 3 : 1);
  return opening;
}

bool take_closing(Cursor& cursor, const Opening& opening) {
  if (cursor.peek() != opening.quote) return false;
  if (!opening.triple) return cursor.take(opening.quote);
  if (cursor.peek(1) != opening.quote || cursor.peek(2) != opening.quote) return false;
  cursor.skip(3);
  return true;
}

void append_octal(Cursor& cursor, std::string& out) {
  char32_t c = 0;
  for (int i = 0; i < 3 && cursor.peek() >= '0' && cursor.peek() <= '7'; ++i)
    c = c * 8 + static_cast<char32_t>(cursor.next() - '0');
  unicode::append(out, c);
}

/// After the backslash: x, u or U and `count` digits.
Status append_hex(Cursor& cursor, std::string& out, std::size_t count) {
  const std::size_t start = cursor.position() - 1;
  const std::string_view digits = cursor.rest().substr(1, count);
  unsigned code = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, code, 16);
  if (digits.size() != count || stop != end || error != std::errc{})
    return cursor.error_at(
        start, fmt::format("found an incomplete escape, wanted {} hexadecimal digits", count));
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
    return cursor.error_at(start,
                           fmt::format("found the escape of U+{:04X}, wanted a character", code));
  cursor.skip(1 + count);
  unicode::append(out, code);
  return {};
}

/// After the backslash.
Status append_escaped(Cursor& cursor, std::string& out) {
  constexpr std::string_view kLetters = "\\'\"abfnrtv";
  constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
  if (cursor.take_line_end()) return {};
  const char c = cursor.peek();
  if (c >= '0' && c <= '7') {
    append_octal(cursor, out);
    return {};
  }
  if (c == 'x') return append_hex(cursor, out, 2);
  if (c == 'u') return append_hex(cursor, out, 4);
  if (c == 'U') return append_hex(cursor, out, 8);
  if (c == 'N')
    return cursor.error_at(cursor.position() - 1,
                           "found the escape \\N, wanted \\u and four digits");
  const std::size_t known = cursor.at_end() ? kLetters.npos : kLetters.find(c);
  if (known == kLetters.npos) {
    out += '\\';  // CPython keeps the backslash of an escape that it does not know
    return {};
  }
  cursor.skip(1);
  out += kMeanings[known];
  return {};
}

/// One character, or a backslash and what it escapes.
Status append_character(Cursor& cursor, std::string& out, bool raw) {
  if (cursor.take_line_end()) {
    out += '\n';
    return {};
  }
  const char c = cursor.next();
  if (c == '\\' && !raw) return append_escaped(cursor, out);
  out += c;
  if (c != '\\' || cursor.at_end()) return {};
  if (cursor.take_line_end())
    out += '\n';
  else
    out += cursor.next();
  return {};
}

}  // namespace

bool starts_string(const Cursor& cursor) {
  const std::string_view prefix = cursor.word();
  return prefix.size() <= 2 && is_quote(cursor.peek(prefix.size()));
}

Status read_string(Cursor& cursor, std::string& out) {
  const std::size_t start = cursor.position();
  TARE_TRY(const Opening opening, read_opening(cursor));
  while (!take_closing(cursor, opening)) {
    const bool line_end = cursor.peek() == '\n' || cursor.peek() == '\r';
    if (cursor.at_end() || (line_end && !opening.triple))
      return cursor.error_at(start,
                             fmt::format("the string that starts here has no closing {}",
                                         std::string(opening.triple ? 3 : 1, opening.quote)));
    TARE_CHECK(append_character(cursor, out, opening.raw));
  }
  return {};
}

}  // namespace tare::base::python
