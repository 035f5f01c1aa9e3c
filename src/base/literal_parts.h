#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

/// The parts that python_literal.cpp is made of.
namespace tare::base::python {

inline bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_quote(char c) {
  return c == '\'' || c == '"';
}
/// Letters, digits, _ and everything outside ASCII.
bool is_word_char(char c);

/// A place in a literal's text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  /// The character here or further on; \0 past the end.
  [[nodiscard]] char peek(std::size_t ahead = 0) const;
  [[nodiscard]] std::string_view rest() const { return text_.substr(position_); }
  /// The word characters from here on.
  [[nodiscard]] std::string_view word() const;

  char next() { return text_[position_++]; }
  void skip(std::size_t count) { position_ += count; }
  bool take(char c);
  /// Consumes \n, \r\n or \r.
  bool take_line_end();
  /// Consumes spaces, comments and joined lines, and line ends if these count as space.
  void skip_space(bool line_ends_too);

  /// "line 2, column 5: what".
  [[nodiscard]] Failure error_at(std::size_t offset, std::string_view what) const;
  /// "line 2, column 5: found 'x', wanted what".
  [[nodiscard]] Failure wanted(std::string_view what) const;

 private:
  bool take_blank() { return take(' ') || take('\t') || take('\f'); }
  bool take_comment();
  bool take_joined_line();

  std::string_view text_;
  std::size_t position_ = 0;
};

/// The number without a sign that starts at the cursor.
Result<Value> read_number(Cursor& cursor, bool negative);

/// True before a quote, or a prefix of at most two letters and a quote.
bool starts_string(const Cursor& cursor);
/// Appends the contents of the string that starts at the cursor.
Status read_string(Cursor& cursor, std::string& out);

}  // namespace tare::base::python
