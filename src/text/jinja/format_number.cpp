#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/python.h"
#include "base/unicode.h"
#include "text/jinja/format.h"

namespace tare::text::jinja {
namespace {

bool is_upper(char type) {
  return type >= 'A' && type <= 'Z';
}

std::string c_format(double number, int precision, char type, bool alternate) {
  const std::string form = fmt::format("{{:{}.{}{}}}", alternate ? "#" : "", precision, type);
  return fmt::format(fmt::runtime(form), number);
}

/// What format() does without a type: as g, but never without a digit after the point.
std::string general_with_point(double number, int precision) {
  precision = std::max(precision, 1);
  std::string scientific = c_format(number, precision - 1, 'e', false);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  if (exponent < -4 || exponent >= precision - 1) {
    const std::size_t mark = scientific.find('e');
    std::string mantissa = scientific.substr(0, mark);
    if (mantissa.find('.') != std::string::npos) {
      mantissa.erase(mantissa.find_last_not_of('0') + 1);
      if (mantissa.back() == '.') mantissa.pop_back();
    }
    return mantissa + scientific.substr(mark);
  }
  std::string text = c_format(number, precision, 'g', false);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string integer_digits(std::int64_t number, char type) {
  const auto magnitude =
      number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  switch (type) {
    case 'b':
      return fmt::format("{:b}", magnitude);
    case 'o':
      return fmt::format("{:o}", magnitude);
    case 'x':
      return fmt::format("{:x}", magnitude);
    case 'X':
      return fmt::format("{:X}", magnitude);
    default:
      return fmt::format("{}", magnitude);
  }
}

std::string_view integer_prefix(char type) {
  switch (type) {
    case 'b':
      return "0b";
    case 'o':
      return "0o";
    case 'x':
      return "0x";
    case 'X':
      return "0X";
    default:
      return "";
  }
}

std::string format_real(double number, const NumberFormat& format) {
  number = std::fabs(number);
  const bool percent = format.type == '%';
  if (percent) number *= 100;
  std::string text;
  if (std::isnan(number))
    text = is_upper(format.type) ? "NAN" : "nan";
  else if (std::isinf(number))
    text = is_upper(format.type) ? "INF" : "inf";
  else if (format.type == 'r')
    text = format.precision < 0 ? base::python::repr(number)
                                : general_with_point(number, format.precision);
  else
    text = c_format(number, format.precision < 0 ? 6 : format.precision,
                    percent ? 'f' : format.type, format.alternate);
  return percent ? text + "%" : text;
}

int checked_size(Heap& heap, std::int64_t size) {
  constexpr std::int64_t kMost = 1'000'000;
  if (size > kMost) value_error("a width or precision above 1000000 is not built in");
  heap.charge(static_cast<std::size_t>(size));
  return static_cast<int>(size);
}

std::string sign_text(bool negative, char wanted) {
  if (negative) return "-";
  return wanted == '+' || wanted == ' ' ? std::string(1, wanted) : "";
}

std::string pad_number(Heap& heap, std::string_view lead, std::string_view digits,
                       const Padding& padding) {
  if (padding.align != '=') return pad_text(heap, std::string(lead).append(digits), padding);
  Padding inner = padding;
  inner.align = '>';
  inner.width -= std::min(inner.width, lead.size());
  return std::string(lead) + pad_text(heap, digits, inner);
}

std::string pad_text(Heap& heap, std::string_view text, const Padding& padding) {
  const std::size_t length = base::unicode::length(text);
  if (length >= padding.width) return std::string(text);
  const std::size_t missing = padding.width - length;
  heap.charge(missing * padding.fill.size());
  const std::size_t left = padding.align == '<' ? 0 : padding.align == '^' ? missing / 2 : missing;
  std::string out;
  for (std::size_t i = 0; i < left; ++i) out += padding.fill;
  out += text;
  for (std::size_t i = left; i < missing; ++i) out += padding.fill;
  return out;
}

}  // namespace tare::text::jinja
