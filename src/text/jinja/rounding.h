#pragma once

#include <cstdint>

namespace tare::text::jinja {

/// round(number, digits) of Python: to the nearest decimal, ties to even, on the exact value of the
/// double. Raises OverflowError when the result is too large.
double round_real(double number, std::int64_t digits);
std::int64_t round_integer(std::int64_t number, std::int64_t digits);

}  // namespace tare::text::jinja
