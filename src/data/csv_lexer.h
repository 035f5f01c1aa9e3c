#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tare::data {

/// Cuts CSV text into records as pandas' C parser does: LF, CR LF and CR end a line; quotes protect
/// separators and line ends; a quote inside an unquoted field, or after the closing one, is an
/// ordinary character; lines of white space are skipped.
class CsvLexer {
 public:
  CsvLexer(std::string_view text, char separator, std::optional<char> quote)
      : text_(text), separator_(separator), quote_(quote) {}

  void skip_line();
  /// Fills `fields` with the next record; false at the end of the text.
  base::Result<bool> next(std::vector<std::string>& fields);
  /// The line, from 1, on which the last record began.
  [[nodiscard]] std::size_t line() const { return record_line_; }

 private:
  [[nodiscard]] bool at_end() const { return pos_ >= text_.size(); }
  [[nodiscard]] bool at_line_end() const { return text_[pos_] == '\n' || text_[pos_] == '\r'; }
  void take_line_end();
  bool skip_blank_lines();
  base::Result<std::string> field();
  base::Status quoted(std::string& out);

  std::string_view text_;
  std::size_t pos_ = 0;
  std::size_t line_ = 1;
  std::size_t record_line_ = 1;
  char separator_;
  std::optional<char> quote_;
};

}  // namespace tare::data
