#include "base/number.h"

#include <charconv>
#include <limits>

namespace tare::base {
namespace {

/// Whether a decimal text that no double can hold is too large, as opposed to too small: by the
/// power of ten of its first digit that is not zero.
bool too_large(std::string_view digits) {
  const std::size_t mark = digits.find_first_of("eE");
  const std::string_view mantissa = digits.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_not_of("0.");
  const auto power = static_cast<double>(point) - static_cast<double>(first);
  if (mark == std::string_view::npos) return power > 0;
  std::string_view exponent = digits.substr(mark + 1);
  const bool negative = exponent.front() == '-';
  if (negative || exponent.front() == '+') exponent.remove_prefix(1);
  double size = 0;
  for (const char c : exponent) size = size * 10 + (c - '0');
  return power + (negative ? -size : size) > 0;
}

struct Signed {
  bool negative = false;
  std::string_view digits;
};

Signed split_sign(std::string_view text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return {false, text};
  return {text[0] == '-', text.substr(1)};
}

}  // namespace

std::optional<double> read_real(std::string_view text) {
  const auto [negative, digits] = split_sign(text);
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos ||
      digits[0] == '-' || digits[0] == '+')
    return std::nullopt;
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (stop != end) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    value = too_large(digits) ? std::numeric_limits<double>::infinity() : 0.0;
  else if (error != std::errc{})
    return std::nullopt;
  return negative ? -value : value;
}

std::optional<std::int64_t> read_integer(std::string_view text, int base) {
  const auto [negative, digits] = split_sign(text);
  if (digits.empty() || digits[0] == '-') return std::nullopt;
  std::uint64_t magnitude = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, magnitude, base);
  if (stop != end || error != std::errc{}) return std::nullopt;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > kMost + (negative ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

}  // namespace tare::base
