#include "data/json_text.h"

#include <algorithm>
#include <string>

#include "base/json.h"

namespace tare::data {
namespace {

using base::Result;
using base::Value;

constexpr std::string_view kSpace = " \t\r\n";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kSpace) == std::string_view::npos;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// The length of the first value in `text`: up to the bracket that closes it, or, where none opens,
/// to the end of the line.
std::size_t value_length(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && depth <= 1) {
      return i + 1;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == '\n' && depth == 0) {
      return i;
    }
  }
  return text.size();
}

/// Parses a piece of `text`; the error's line and column are those in `text`.
Result<Value> parse_piece(std::string_view text, std::string_view piece) {
  auto value = base::json::parse(piece);
  if (value) return value;
  const std::string_view before =
      text.substr(0, static_cast<std::size_t>(piece.data() - text.data()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  // Parsed again behind as many lines and blanks as precede it, it fails at its true place.
  std::string padded(static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
                     '\n');
  padded.append(before.size() - line_start, ' ');
  padded += piece;
  return base::json::parse(padded);
}

}  // namespace

Result<JsonRows> parse_json_rows(std::string_view text, std::string_view part) {
  JsonRows result;
  while (!part.empty()) {
    const std::string_view line = first_line(part);
    std::size_t used = std::min(line.size() + 1, part.size());
    if (is_blank(line)) {
      result.one_a_line = false;
    } else if (auto row = base::json::parse(line)) {
      result.rows.push_back(std::move(*row));
    } else {
      // No value on a line of its own: one that spans lines, or several on one.
      result.one_a_line = false;
      const std::size_t start = line.find_first_not_of(kSpace);
      used = start + value_length(part.substr(start));
      TARE_TRY(Value value, parse_piece(text, part.substr(start, used - start)));
      result.rows.push_back(std::move(value));
    }
    part.remove_prefix(used);
  }
  return result;
}

}  // namespace tare::data
