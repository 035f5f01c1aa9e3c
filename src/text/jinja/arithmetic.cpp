#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "text/jinja/escape.h"
#include "text/jinja/format.h"
#include "text/jinja/operators.h"

namespace tare::text::jinja {
namespace {

[[noreturn]] void overflow() {
  fail(FailureKind::overflow, "the result is an integer outside 64 bits");
}

[[noreturn]] void no_such_operation(std::string_view op, const Value& a, const Value& b) {
  type_error(fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", op, type_name(a),
                         type_name(b)));
}

[[noreturn]] void zero_division(std::string_view text) {
  fail(FailureKind::zero_division, std::string(text));
}

bool both_integral(const Value& a, const Value& b) {
  return a.is_integral() && b.is_integral();
}

void require_numbers(std::string_view op, const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) no_such_operation(op, a, b);
}

Value join_strings(Heap& heap, const Value& a, const Value& b) {
  const bool markup = a.is_markup() || b.is_markup();
  auto part = [&](const Value& v) {
    return markup && !v.is_markup() ? escape_html(v.str()) : v.str();
  };
  if (!markup) {
    heap.charge(a.str().size());
    std::string joined;
    joined.reserve(a.str().size() + b.str().size());
    joined.append(a.str()).append(b.str());
    return heap.text(std::move(joined));
  }
  return heap.text(part(a) + part(b), true);
}

std::vector<Value> joined_items(Heap& heap, const std::vector<Value>& a,
                                const std::vector<Value>& b) {
  heap.step(a.size() + b.size());
  std::vector<Value> items = a;
  items.insert(items.end(), b.begin(), b.end());
  return items;
}

/// Strings, lists and tuples; nullopt when `a` is none of them.
std::optional<Value> concatenate(Heap& heap, const Value& a, const Value& b) {
  if (a.is_string() && b.is_string()) return join_strings(heap, a, b);
  const auto* list = as<List>(a);
  const auto* tuple = as<Tuple>(a);
  if (list != nullptr && as<List>(b) != nullptr)
    return heap.list(joined_items(heap, list->items, as<List>(b)->items));
  if (tuple != nullptr && as<Tuple>(b) != nullptr)
    return heap.tuple(joined_items(heap, tuple->items, as<Tuple>(b)->items));
  if (a.is_string() || list != nullptr || tuple != nullptr)
    type_error(
        fmt::format("can only concatenate {0} (not \"{1}\") to {0}", type_name(a), type_name(b)));
  return std::nullopt;
}

Value add(Heap& heap, const Value& a, const Value& b) {
  if (both_integral(a, b)) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.as_int(), b.as_int(), &sum)) overflow();
    return sum;
  }
  if (a.is_number() && b.is_number()) return a.as_real() + b.as_real();
  if (auto joined = concatenate(heap, a, b)) return *joined;
  no_such_operation("+", a, b);
}

Value subtract(Heap&, const Value& a, const Value& b) {
  require_numbers("-", a, b);
  if (!both_integral(a, b)) return a.as_real() - b.as_real();
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a.as_int(), b.as_int(), &difference)) overflow();
  return difference;
}

Value negate(std::int64_t i) {
  std::int64_t negated = 0;
  if (__builtin_sub_overflow(std::int64_t{0}, i, &negated)) overflow();
  return negated;
}

bool is_sequence(const Value& value) {
  return value.is_string() || sequence_items(value) != nullptr;
}

Value repeat(Heap& heap, const Value& sequence, const Value& count) {
  if (!count.is_integral())
    type_error(fmt::format("can't multiply sequence by non-int of type '{}'", type_name(count)));
  const auto times = static_cast<std::uint64_t>(std::max<std::int64_t>(count.as_int(), 0));
  const std::size_t size =
      sequence.is_string() ? sequence.str().size() : sequence_items(sequence)->size();
  if (size != 0 && times > heap.options().max_memory_bytes / size)
    heap.charge(heap.options().max_memory_bytes + 1);
  if (sequence.is_string()) {
    heap.charge(size * times);
    std::string text;
    text.reserve(size * times);
    for (std::uint64_t i = 0; size != 0 && i < times; ++i) text += sequence.str();
    return heap.text(std::move(text), sequence.is_markup());
  }
  heap.charge_items(size * times);
  heap.step(size * times);
  std::vector<Value> items;
  for (std::uint64_t i = 0; size != 0 && i < times; ++i)
    items.insert(items.end(), sequence_items(sequence)->begin(), sequence_items(sequence)->end());
  return as<List>(sequence) != nullptr ? heap.list(std::move(items)) : heap.tuple(std::move(items));
}

Value multiply(Heap& heap, const Value& a, const Value& b) {
  if (both_integral(a, b)) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a.as_int(), b.as_int(), &product)) overflow();
    return product;
  }
  if (a.is_number() && b.is_number()) return a.as_real() * b.as_real();
  if (is_sequence(a)) return repeat(heap, a, b);
  if (is_sequence(b)) return repeat(heap, b, a);
  no_such_operation("*", a, b);
}

Value divide(Heap&, const Value& a, const Value& b) {
  require_numbers("/", a, b);
  if (both_integral(a, b)) {
    if (b.as_int() == 0) zero_division("division by zero");
    return static_cast<double>(static_cast<long double>(a.as_int()) /
                               static_cast<long double>(b.as_int()));
  }
  if (b.as_real() == 0.0) zero_division("float division by zero");
  return a.as_real() / b.as_real();
}

/// Quotient and remainder as Python defines them for floats: the remainder has the divisor's sign.
struct FloatDivision {
  double quotient, remainder;
};

FloatDivision float_divide(double a, double b) {
  double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0.0) {
    if ((b < 0) != (remainder < 0)) {
      remainder += b;
      quotient -= 1.0;
    }
  } else {
    remainder = std::copysign(0.0, b);
  }
  if (quotient == 0.0) return {std::copysign(0.0, a / b), remainder};
  double floored = std::floor(quotient);
  if (quotient - floored > 0.5) floored += 1.0;
  return {floored, remainder};
}

Value floor_divide(Heap&, const Value& a, const Value& b) {
  require_numbers("//", a, b);
  if (!both_integral(a, b)) {
    if (b.as_real() == 0.0) zero_division("float floor division by zero");
    return float_divide(a.as_real(), b.as_real()).quotient;
  }
  const std::int64_t x = a.as_int(), y = b.as_int();
  if (y == 0) zero_division("integer division or modulo by zero");
  if (y == -1) return negate(x);
  const std::int64_t quotient = x / y;
  return quotient - std::int64_t(x % y != 0 && (x < 0) != (y < 0));
}

Value modulo(Heap& heap, const Value& a, const Value& b) {
  if (a.is_string()) return format_percent(heap, a, b);
  require_numbers("%", a, b);
  if (!both_integral(a, b)) {
    if (b.as_real() == 0.0) zero_division("float modulo");
    return float_divide(a.as_real(), b.as_real()).remainder;
  }
  const std::int64_t x = a.as_int(), y = b.as_int();
  if (y == 0) zero_division("integer modulo by zero");
  if (y == -1) return std::int64_t{0};
  const std::int64_t remainder = x % y;
  return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}

Value real_power(double base, double exponent) {
  if (base == 0.0 && exponent < 0.0) zero_division("0.0 cannot be raised to a negative power");
  if (base < 0.0 && std::isfinite(base) && std::isfinite(exponent) &&
      exponent != std::floor(exponent))
    unsupported("a negative number raised to a fraction is complex in Python; not built in");
  const double power = std::pow(base, exponent);
  if (std::isinf(power) && std::isfinite(base) && std::isfinite(exponent))
    fail(FailureKind::overflow, "(34, 'Numerical result out of range')");
  return power;
}

Value integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return real_power(static_cast<double>(base), static_cast<double>(exponent));
  std::int64_t power = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(power, base, &power)) overflow();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) overflow();
  }
  return power;
}

Value power(Heap&, const Value& a, const Value& b) {
  require_numbers("** or pow()", a, b);
  if (both_integral(a, b)) return integer_power(a.as_int(), b.as_int());
  return real_power(a.as_real(), b.as_real());
}

}  // namespace

Value binary(Heap& heap, BinaryOp op, const Value& a, const Value& b) {
  using Operation = Value (*)(Heap&, const Value&, const Value&);
  static constexpr std::array<Operation, 7> kOperations = {add,          subtract, multiply, divide,
                                                           floor_divide, modulo,   power};
  if (!(op == BinaryOp::modulo && a.is_string())) {
    require_defined(a);
    require_defined(b);
  }
  return kOperations.at(static_cast<std::size_t>(op))(heap, a, b);
}

Value unary(Heap&, UnaryOp op, const Value& operand) {
  require_defined(operand);
  const bool minus = op == UnaryOp::negative;
  if (!operand.is_number())
    type_error(
        fmt::format("bad operand type for unary {}: '{}'", minus ? '-' : '+', type_name(operand)));
  if (operand.is_real()) return minus ? -operand.as_real() : operand.as_real();
  return minus ? negate(operand.as_int()) : Value(operand.as_int());
}

}  // namespace tare::text::jinja
