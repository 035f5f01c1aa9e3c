#include <fmt/format.h>

#include <algorithm>

#include "base/literal_parts.h"
#include "base/position.h"

namespace tare::base::python {

bool is_word_char(char c) {
  return is_decimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<signed char>(c) < 0;
}

char Cursor::peek(std::size_t ahead) const {
  return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
}

std::string_view Cursor::word() const {
  const std::string_view all = rest();
  const auto end = std::find_if_not(all.begin(), all.end(), is_word_char);
  return all.substr(0, static_cast<std::size_t>(end - all.begin()));
}

bool Cursor::take(char c) {
  if (at_end() || text_[position_] != c) return false;
  ++position_;
  return true;
}

bool Cursor::take_line_end() {
  const std::size_t start = position_;
  take('\r');
  take('\n');
  return position_ > start;
}

bool Cursor::take_comment() {
  if (peek() != '#') return false;
  position_ = std::min(text_.find_first_of("\r\n", position_), text_.size());
  return true;
}

bool Cursor::take_joined_line() {
  if (peek() != '\\' || (peek(1) != '\n' && peek(1) != '\r')) return false;
  ++position_;
  return take_line_end();
}

void Cursor::skip_space(bool line_ends_too) {
  while (take_blank() || take_comment() || take_joined_line() || (line_ends_too && take_line_end()))
    continue;
}

Failure Cursor::error_at(std::size_t offset, std::string_view what) const {
  return input_error(fmt::format("{}: {}", line_and_column(text_, offset), what));
}

Failure Cursor::wanted(std::string_view what) const {
  return error_at(position_, fmt::format("found {}, wanted {}", found_at(text_, position_), what));
}

}  // namespace tare::base::python
