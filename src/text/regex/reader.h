#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unicode.h"

namespace tare::text::regex {

inline constexpr char32_t kEnd = 0xFFFFFFFF;

inline bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}
inline bool is_octal(char32_t c) {
  return c >= '0' && c <= '7';
}
inline bool is_letter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// The value of a hexadecimal digit, or 16.
unsigned hex_value(char32_t c);
/// What \a, \b, \f, \n, \r, \t, \v and \\ stand for; kEnd for another letter.
char32_t control_escape(char32_t letter);
/// str.isidentifier, nearly: a letter or _ first, then letters, digits and _.
bool is_identifier(std::u32string_view name);

/// A place in a pattern or in a replacement template.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(base::unicode::to_utf32(text)) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  /// The code point here or further on; kEnd past the end.
  [[nodiscard]] char32_t peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : kEnd;
  }
  char32_t next() { return at_end() ? kEnd : text_[position_++]; }
  void back_to(std::size_t position) { position_ = position; }
  bool take(char32_t c) {
    if (peek() != c) return false;
    ++position_;
    return true;
  }
  /// Consumes decimal digits.
  std::u32string digits();
  /// The code point that `count` hexadecimal digits from here name, e.g. after \x.
  base::Result<char32_t> hex(int count);
  /// Octal digits, at most `most`, the first of them given.
  base::Result<char32_t> octal(char32_t first, int most);
  /// A name up to `end`, which is consumed.
  base::Result<std::u32string> name_until(char32_t end);

  [[nodiscard]] base::Failure error(std::string_view what) const {
    return error_at(position_, what);
  }
  [[nodiscard]] base::Failure error_at(std::size_t position, std::string_view what) const {
    return base::input_error(fmt::format("{} at position {}", what, position));
  }

 private:
  std::u32string text_;
  std::size_t position_ = 0;
};

}  // namespace tare::text::regex
