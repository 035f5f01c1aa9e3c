#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What Python's str can do and base::unicode does not offer. Positions are code points unless
/// "bytes" is said.
namespace tare::text::jinja {

/// The value of a digit or letter in bases up to 36; kNoDigit for other characters.
inline constexpr int kNoDigit = 99;
int digit_value(char c);

/// Whether `c` may stand in a name, and whether the whole is a name: str.isidentifier.
bool is_name_char(char32_t c);
bool is_identifier(std::string_view s);

bool is_decimal_digit(char32_t c);  ///< str.isdecimal of one code point
bool is_numeric(char32_t c);        ///< str.isnumeric of one code point
bool is_titlecase(char32_t c);
/// The value of a decimal digit of any script.
int decimal_value(char32_t c);
std::string casefold(std::string_view s);
std::string swapcase(std::string_view s);

/// The byte at which code point `index` starts; the size of `s` if there are fewer.
std::size_t byte_offset(std::string_view s, std::size_t index);
/// The code point at `index`, or nothing beyond the end.
std::optional<std::string_view> code_point_at(std::string_view s, std::size_t index);

/// Bounds of a slice after Python's rules for negative and too large ones.
struct SliceBounds {
  std::int64_t start, stop, step;
  [[nodiscard]] std::int64_t size() const;
};
/// PySlice_AdjustIndices; `step` is not 0.
SliceBounds adjust_slice(std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                         std::int64_t step, std::int64_t length);
std::string slice_string(std::string_view s, const SliceBounds& bounds);

/// int(text, base): the number, nothing if it is none. Raises OverflowError beyond 64 bits.
std::optional<std::int64_t> parse_python_int(std::string_view text, int base);
/// float(text), or nothing if it is none.
std::optional<double> parse_python_float(std::string_view text);

}  // namespace tare::text::jinja
