#include "data/csv_lexer.h"

#include <fmt/format.h>

namespace tare::data {

using base::Result;

void CsvLexer::take_line_end() {
  if (at_end()) return;
  const char first = text_[pos_++];
  if (first == '\r' && !at_end() && text_[pos_] == '\n') ++pos_;
  ++line_;
}

void CsvLexer::skip_line() {
  while (!at_end() && !at_line_end()) ++pos_;
  take_line_end();
}

/// Skips lines of nothing but blanks; true if text is left.
bool CsvLexer::skip_blank_lines() {
  while (!at_end()) {
    std::size_t end = pos_;
    while (end < text_.size() && text_[end] != separator_ &&
           (text_[end] == ' ' || text_[end] == '\t'))
      ++end;
    if (end < text_.size() && text_[end] != '\n' && text_[end] != '\r') return true;
    pos_ = end;
    take_line_end();
  }
  return false;
}

Result<bool> CsvLexer::next(std::vector<std::string>& fields) {
  fields.clear();
  if (!skip_blank_lines()) return false;
  record_line_ = line_;
  while (true) {
    TARE_TRY(std::string value, field());
    fields.push_back(std::move(value));
    if (at_end() || at_line_end()) break;
    ++pos_;  // the separator
  }
  take_line_end();
  return true;
}

/// One field up to, not including, its separator or line end.
Result<std::string> CsvLexer::field() {
  std::string out;
  if (quote_ && !at_end() && text_[pos_] == *quote_) TARE_CHECK(quoted(out));
  while (!at_end() && !at_line_end() && text_[pos_] != separator_) out += text_[pos_++];
  return out;
}

base::Status CsvLexer::quoted(std::string& out) {
  const std::size_t start_line = line_;
  for (++pos_; !at_end(); ++pos_) {
    const char c = text_[pos_];
    if (c == *quote_) {
      ++pos_;
      if (at_end() || text_[pos_] != *quote_) return {};
    } else if (c == '\n') {
      ++line_;
    }
    out += c;
  }
  return base::input_error(
      fmt::format("line {}: found the end of the file inside a quoted field, wanted a closing {}",
                  start_line, *quote_));
}

}  // namespace tare::data
