#include "text/regex/translator.h"

namespace tare::text::regex {
namespace {

Piece anchor(std::string text) {
  return {std::move(text), {}, Piece::Kind::anchor};
}

}  // namespace

/// What stands after a backslash outside a class.
base::Result<Piece> Translator::escape(RegexFlags flags) {
  if (in_.at_end()) return in_.error_at(in_.position() - 1, "bad escape (end of pattern)");
  const std::size_t start = in_.position() - 1;
  const char32_t c = in_.next();
  if (c == 'A') return anchor(R"(\A)");
  if (c == 'Z') return anchor(R"(\z)");
  if (c == 'b' || c == 'B') return anchor(boundary_text(c == 'B', flags.ascii));
  if (is_category(c)) return Piece{category_text(c, flags.ascii), {1, 1}};
  if (is_digit(c) && c != '0') return numeric_escape(flags, c);
  char32_t code = c;
  if (c == '0') {
    TARE_TRY(code, in_.octal(c, 3));
  } else if (is_letter(c)) {
    TARE_TRY(code, code_escape(c));
    if (code == kEnd) return in_.error_at(start, "bad escape");
  }
  return Piece{literal_text(code, flags.ignore_case && !flags.ascii), {1, 1}};
}

/// \1 to \99 name a group; three octal digits a code point.
base::Result<Piece> Translator::numeric_escape(RegexFlags flags, char32_t first) {
  const std::size_t start = in_.position() - 2;
  if (is_octal(first) && is_octal(in_.peek()) && is_octal(in_.peek(1))) {
    TARE_TRY(const char32_t code, in_.octal(first, 3));
    return Piece{literal_text(code, flags.ignore_case && !flags.ascii), {1, 1}};
  }
  std::size_t number = first - '0';
  if (is_digit(in_.peek())) number = number * 10 + (in_.next() - '0');
  return reference(number, start);
}

/// \n, \x41, \u00e9 and the like; kEnd for a letter that means nothing.
base::Result<char32_t> Translator::code_escape(char32_t letter) {
  if (letter == 'x') return in_.hex(2);
  if (letter == 'u') return in_.hex(4);
  if (letter == 'U') return in_.hex(8);
  if (letter == 'N')
    return in_.error_at(in_.position() - 2, "\\N{...} is not built in; write \\u and its number");
  return control_escape(letter);
}

base::Result<Piece> Translator::char_class(RegexFlags flags) {
  const std::size_t start = in_.position() - 1;
  CharClass set(flags.ignore_case, flags.ascii);
  const bool negated = in_.take('^');
  for (bool first = true; first || in_.peek() != ']'; first = false) {
    if (in_.at_end()) return in_.error_at(start, "unterminated character set");
    TARE_CHECK(class_member(flags, set));
  }
  in_.next();
  return Piece{set.text(negated), {1, 1}};
}

/// A code point, a range or a category.
base::Status Translator::class_member(RegexFlags, CharClass& set) {
  const std::size_t start = in_.position();
  TARE_TRY(const auto first, class_atom(set));
  const bool range = in_.peek() == '-' && in_.peek(1) != ']' && in_.peek(1) != kEnd;
  if (!range) {
    if (first) set.add(*first, *first);
    return {};
  }
  in_.next();
  TARE_TRY(const auto last, class_atom(set));
  if (!first || !last || *last < *first) return in_.error_at(start, "bad character range");
  set.add(*first, *last);
  return {};
}

base::Result<std::optional<char32_t>> Translator::class_atom(CharClass& set) {
  const char32_t c = in_.next();
  if (c != '\\') return c;
  if (in_.at_end()) return in_.error_at(in_.position() - 1, "bad escape (end of pattern)");
  const char32_t letter = in_.next();
  if (is_category(letter)) {
    set.add_category(letter);
    return std::nullopt;
  }
  TARE_TRY(const char32_t code, class_escape(letter));
  return code;
}

base::Result<char32_t> Translator::class_escape(char32_t letter) {
  const std::size_t start = in_.position() - 2;
  if (letter == 'b') return U'\b';
  if (is_octal(letter)) return in_.octal(letter, 3);
  if (is_digit(letter)) return in_.error_at(start, "bad escape");
  if (!is_letter(letter)) return letter;
  TARE_TRY(const char32_t code, code_escape(letter));
  if (code == kEnd) return in_.error_at(start, "bad escape");
  return code;
}

}  // namespace tare::text::regex
