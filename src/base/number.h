#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tare::base {

/// The double nearest to a decimal text (digits with an optional sign, point and exponent). Too
/// large gives ±inf and too small ±0, as float() does; nothing if the text is no such number.
std::optional<double> read_real(std::string_view text);

/// An integer of `base` digits with an optional sign; nothing if it is none or exceeds 64 bits.
std::optional<std::int64_t> read_integer(std::string_view text, int base = 10);

}  // namespace tare::base
