#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/literal_parts.h"
#include "base/number.h"

namespace tare::base::python {
namespace {

bool is_hex_digit(char c) {
  return is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// 16, 8 or 2 for a numeral with a prefix, else 10.
int base_of(std::string_view numeral) {
  if (numeral.size() < 2 || numeral[0] != '0') return 10;
  switch (numeral[1] | 0x20) {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 10;
  }
}

/// Everything that CPython's tokenizer would take for one number, well-formed or not.
std::string_view numeral_at(const Cursor& cursor) {
  const std::string_view text = cursor.rest();
  const bool prefixed = base_of(text) != 10;
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    const bool exponent_sign =
        (c == '+' || c == '-') && !prefixed && end > 0 && (text[end - 1] | 0x20) == 'e';
    if (!is_word_char(c) && c != '.' && !exponent_sign) break;
    ++end;
  }
  return text.substr(0, end);
}

/// A numeral without its underscores; nothing unless each stands between two digits.
std::optional<std::string> without_underscores(std::string_view text, bool (*is_digit)(char)) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_')
      out += text[i];
    else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1]))
      return std::nullopt;
  }
  return out;
}

bool all_digits(std::string_view text, int base) {
  auto in_base = [base](char c) {
    return base == 16 ? is_hex_digit(c) : c >= '0' && c - '0' < base;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), in_base);
}

bool has_leading_zeros(std::string_view digits) {
  return digits.size() > 1 && digits.front() == '0' &&
         digits.find_first_not_of('0') != std::string_view::npos;
}

/// The digits of an integer; nothing if it is malformed.
std::optional<std::string> integer_digits(std::string_view numeral, int base) {
  if (base != 10) numeral.remove_prefix(2);
  if (base != 10 && numeral.starts_with('_')) numeral.remove_prefix(1);
  auto digits = without_underscores(numeral, is_hex_digit);
  return digits && all_digits(*digits, base) ? digits : std::nullopt;
}

}  // namespace

Result<Value> read_number(Cursor& cursor, bool negative) {
  const std::size_t start = cursor.position();
  const std::string_view numeral = numeral_at(cursor);
  const int base = base_of(numeral);
  auto refuse = [&](std::string_view found, std::string_view wanted) {
    return cursor.error_at(start, fmt::format("found {}{}, wanted {}", found, numeral, wanted));
  };
  cursor.skip(numeral.size());
  if (base == 10 && (numeral.back() | 0x20) == 'j')
    return refuse("the complex number ", "a real one");
  if (base == 10 && numeral.find_first_of(".eE") != numeral.npos) {
    const auto digits = without_underscores(numeral, is_decimal);
    const auto real = digits ? read_real(*digits) : std::nullopt;
    if (!real) return refuse("", "a number");
    return Value(negative ? -*real : *real);
  }
  const auto digits = integer_digits(numeral, base);
  if (!digits) return refuse("", "a number");
  if (base == 10 && has_leading_zeros(*digits)) return refuse("leading zeros in ", "none");
  const auto integer = read_integer((negative ? "-" : "") + *digits, base);
  if (!integer) return refuse("the integer ", "one of 64 bits");
  return Value(*integer);
}

}  // namespace tare::base::python
