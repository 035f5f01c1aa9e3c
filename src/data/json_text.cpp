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

/// Takes the first line, without its line feed, off `rest`.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
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

Result<JsonRows> parse_lines(std::string_view text, std::string_view part) {
  JsonRows result;
  while (!part.empty()) {
    const std::string_view line = take_line(part);
    if (is_blank(line)) {
      result.one_a_line = false;
      continue;
    }
    TARE_TRY(Value row, parse_piece(text, line));
    result.rows.push_back(std::move(row));
  }
  return result;
}

Result<JsonRows> parse_stream(std::string_view text, std::string_view part) {
  JsonRows result;
  result.one_a_line = false;
  while (true) {
    part.remove_prefix(std::min(part.find_first_not_of(kSpace), part.size()));
    if (part.empty()) return result;
    const std::string_view piece = part.substr(0, value_length(part));
    TARE_TRY(Value row, parse_piece(text, piece));
    result.rows.push_back(std::move(row));
    part.remove_prefix(piece.size());
  }
}

}  // namespace

Result<JsonRows> parse_json_rows(std::string_view text, std::string_view part) {
  std::string_view rest = part;
  std::string_view first;
  while (is_blank(first) && !rest.empty()) first = take_line(rest);
  // A first line that opens more than it closes begins a value that spans lines.
  std::string_view start = first.substr(std::min(first.find_first_not_of(kSpace), first.size()));
  const std::string_view with_rest(start.data(),
                                   static_cast<std::size_t>(part.end() - start.begin()));
  const bool spans_lines = value_length(with_rest) > start.size();
  return spans_lines ? parse_stream(text, part) : parse_lines(text, part);
}

}  // namespace tare::data
