#include <array>
#include <bit>
#include <cmath>

#include "text/jinja/methods.h"

/// Methods of int, float and cycler.
namespace tare::text::jinja {
namespace {

std::uint64_t magnitude(const Value& value) {
  const std::int64_t i = value.as_int();
  return i < 0 ? 0 - static_cast<std::uint64_t>(i) : static_cast<std::uint64_t>(i);
}

Value bit_length(Call& call) {
  return static_cast<std::int64_t>(std::bit_width(magnitude(call.self)));
}

Value bit_count(Call& call) {
  return static_cast<std::int64_t>(std::popcount(magnitude(call.self)));
}

Value itself(Call& call) {
  return call.self.is_bool() ? Value(call.self.as_int()) : call.self;
}

Value integer_ratio(Call& call) {
  return call.heap.tuple({call.self.as_int(), std::int64_t{1}});
}

Value is_integer(Call& call) {
  const double number = call.self.as_real();
  return std::isfinite(number) && number == std::floor(number);
}

Value next(Call& call) {
  auto& cycler = *as<Cycler>(call.self);
  const Value item = cycler.items[cycler.position];
  cycler.position = (cycler.position + 1) % cycler.items.size();
  return item;
}

Value reset(Call& call) {
  as<Cycler>(call.self)->position = 0;
  return Value::none();
}

constexpr std::array<Builtin, 4> kIntegerMethods = {{
    {"bit_length", bit_length},
    {"bit_count", bit_count},
    {"conjugate", itself},
    {"as_integer_ratio", integer_ratio},
}};

constexpr std::array<Builtin, 2> kRealMethods = {{
    {"is_integer", is_integer},
    {"conjugate", itself},
}};

constexpr std::array<Builtin, 2> kCyclerMethods = {{
    {"next", next},
    {"reset", reset},
}};

}  // namespace

std::span<const Builtin> integer_methods() {
  return kIntegerMethods;
}
std::span<const Builtin> real_methods() {
  return kRealMethods;
}
std::span<const Builtin> cycler_methods() {
  return kCyclerMethods;
}

}  // namespace tare::text::jinja
