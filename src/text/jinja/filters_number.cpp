#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/number.h"
#include "text/jinja/filter_tools.h"
#include "text/jinja/format.h"
#include "text/jinja/operators.h"
#include "text/jinja/rounding.h"
#include "text/jinja/strings.h"

/// Filters on numbers.
namespace tare::text::jinja {
namespace {

Value abs(Call& call) {
  if (call.self.is_real()) return std::fabs(call.self.as_real());
  if (!call.self.is_integral())
    type_error(fmt::format("bad operand type for abs(): '{}'", type_name(call.self)));
  const std::int64_t number = call.self.as_int();
  return number < 0 ? unary(call.heap, UnaryOp::negative, number) : Value(number);
}

/// int(number); nothing for NaN.
std::optional<std::int64_t> truncated(double number) {
  if (std::isnan(number)) return std::nullopt;
  if (std::isinf(number)) fail(FailureKind::overflow, "cannot convert float infinity to integer");
  if (std::fabs(number) >= 0x1p63)
    fail(FailureKind::overflow, "the number is an integer outside 64 bits");
  return static_cast<std::int64_t>(number);
}

Value to_int(Call& call) {
  require_defined(call.self);
  const Value otherwise = call.has(0) ? call.args[0] : Value(std::int64_t{0});
  std::optional<std::int64_t> number;
  if (call.self.is_integral()) return call.self.as_int();
  if (call.self.is_real()) number = truncated(call.self.as_real());
  if (!call.self.is_string()) return number ? Value(*number) : otherwise;
  const Value given = call.has(1) ? call.args[1] : Value(std::int64_t{10});
  const std::int64_t base = given.is_integral() ? given.as_int() : -1;  // -1: no such base
  if (base == 0 || (base >= 2 && base <= 36))
    number = parse_python_int(call.self.str(), static_cast<int>(base));
  if (number) return *number;
  const auto real = parse_python_float(call.self.str());
  if (!real || std::isinf(*real)) return otherwise;
  number = truncated(*real);
  return number ? Value(*number) : otherwise;
}

Value to_float(Call& call) {
  require_defined(call.self);
  const Value otherwise = call.has(0) ? call.args[0] : Value(0.0);
  if (call.self.is_number()) return call.self.as_real();
  if (!call.self.is_string()) return otherwise;
  const auto number = parse_python_float(call.self.str());
  return number ? Value(*number) : otherwise;
}

Value round_away(Call& call, double (*towards)(double)) {
  const Value power = binary(call.heap, BinaryOp::power, std::int64_t{10}, call.integer(0, 0));
  const Value scaled = binary(call.heap, BinaryOp::multiply, call.self, power);
  if (!scaled.is_number())
    type_error(fmt::format("must be real number, not {}", type_name(scaled)));
  const Value whole = scaled.is_real() ? Value(*truncated(towards(scaled.as_real()))) : scaled;
  return binary(call.heap, BinaryOp::divide, whole, power);
}

Value round(Call& call) {
  const std::string method = call.has(1) ? str(call.heap, call.args[1]) : "common";
  if (method == "ceil") return round_away(call, std::ceil);
  if (method == "floor") return round_away(call, std::floor);
  if (method != "common") fail(FailureKind::runtime, "method must be common, ceil or floor");
  if (!call.self.is_number())
    type_error(fmt::format("type {} doesn't define __round__ method", type_name(call.self)));
  const bool without_digits = call.has(0) && call.args[0].is_none();
  const std::int64_t digits = without_digits ? 0 : call.integer(0, 0);
  if (call.self.is_integral()) return round_integer(call.self.as_int(), digits);
  if (!without_digits) return round_real(call.self.as_real(), digits);
  const auto whole = truncated(std::nearbyint(call.self.as_real()));
  if (!whole) value_error("cannot convert float NaN to integer");
  return *whole;
}

Value file_size(Call& call) {
  static constexpr std::array<char, 8> kPrefixes = {'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'};
  require_defined(call.self);
  if (!call.self.is_number() && !call.self.is_string())
    type_error(fmt::format("float() argument must be a string or a real number, not '{}'",
                           type_name(call.self)));
  const auto number = call.self.is_number() ? std::optional(call.self.as_real())
                                            : parse_python_float(call.self.str());
  if (!number) value_error("could not convert string to float: " + repr(call.heap, call.self));
  const bool binary = call.flag(0, false);
  const double base = binary ? 1024 : 1000;
  if (*number == 1) return call.heap.text("1 Byte");
  if (*number < base) return call.heap.text(fmt::format("{} Bytes", *truncated(*number)));
  double unit = base;
  std::size_t i = 0;
  for (; i + 1 < kPrefixes.size() && *number >= unit * base; ++i) unit *= base;
  const NumberFormat one_digit{.type = 'f', .precision = 1};
  const char prefix = binary && i == 0 ? 'K' : kPrefixes.at(i);
  return call.heap.text(
      fmt::format("{} {}{}", format_real(*number / unit, one_digit), prefix, binary ? "iB" : "B"));
}

constexpr std::array<Builtin, 5> kFilters = {{
    {"abs", abs},
    {"int", to_int, 0, {"default", "base"}},
    {"float", to_float, 0, {"default"}},
    {"round", round, 0, {"precision", "method"}},
    {"filesizeformat", file_size, 0, {"binary"}},
}};

/// The decimal digits of a finite number, rounded to `digits` places before or after the point.
std::string rounded_text(double number, std::int64_t digits) {
  std::array<char, 800> buffer{};
  std::to_chars_result result{};
  if (digits >= 0) {
    result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                           std::chars_format::fixed, static_cast<int>(digits));
  } else {
    const auto exponent = static_cast<std::int64_t>(std::floor(std::log10(std::fabs(number))));
    const std::int64_t significant = exponent + digits;
    result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                           std::chars_format::scientific, static_cast<int>(significant));
  }
  return {buffer.data(), result.ptr};
}

}  // namespace

double round_real(double number, std::int64_t digits) {
  constexpr std::int64_t kMostDigits = 323, kLeastDigits = -308;
  if (!std::isfinite(number) || digits > kMostDigits || number == 0.0) return number;
  if (digits < kLeastDigits) return std::copysign(0.0, number);
  if (digits < 0) {
    // Ten to the power is exact or so large that only its size matters.
    const double unit = std::pow(10.0, static_cast<double>(-digits));
    if (std::fabs(number) <= unit / 2) return std::copysign(0.0, number);
    if (std::fabs(number) < unit) return std::copysign(unit, number);
  }
  const double rounded = *base::read_real(rounded_text(number, digits));
  if (std::isinf(rounded)) fail(FailureKind::overflow, "rounded value too large to represent");
  return rounded;
}

std::int64_t round_integer(std::int64_t number, std::int64_t digits) {
  if (digits >= 0) return number;
  if (digits < -19) return 0;
  // In 128 bits, since 10^19 and the doubled remainder do not fit 64.
  __extension__ typedef __int128 Wide;
  Wide unit = 1;
  for (std::int64_t i = 0; i < -digits; ++i) unit *= 10;
  const Wide magnitude = number < 0 ? -Wide(number) : Wide(number);
  Wide quotient = magnitude / unit;
  const Wide twice = 2 * (magnitude % unit);
  if (twice > unit || (twice == unit && quotient % 2 != 0)) ++quotient;
  const Wide rounded = number < 0 ? -quotient * unit : quotient * unit;
  if (rounded > std::numeric_limits<std::int64_t>::max() ||
      rounded < std::numeric_limits<std::int64_t>::min())
    fail(FailureKind::overflow, "the result is an integer outside 64 bits");
  return static_cast<std::int64_t>(rounded);
}

std::span<const Builtin> number_filters() {
  return kFilters;
}

}  // namespace tare::text::jinja
