#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Python's `str` operations on UTF-8. Positions and lengths are code points unless "bytes" is
/// said.
namespace tare::base::unicode {

/// Decodes one code point at `pos` and moves `pos` past it. Bytes that are no UTF-8 decode as
/// U+FFFD, one byte at a time, so that every loop ends.
char32_t decode(std::string_view s, std::size_t& pos);
void append(std::string& out, char32_t code_point);
std::u32string to_utf32(std::string_view s);
std::string to_utf8(std::u32string_view s);

/// True if `s` is well-formed UTF-8 without surrogates.
bool valid(std::string_view s);
/// The offset of the first byte that is no UTF-8, or npos.
std::size_t find_invalid(std::string_view s);
/// The number of code points, as Python's len().
std::size_t length(std::string_view s);

bool is_space(char32_t c);      ///< str.isspace of one code point
bool is_digit(char32_t c);      ///< str.isdigit of one code point
bool is_printable(char32_t c);  ///< str.isprintable of one code point
bool is_alpha(char32_t c);
bool is_alnum(char32_t c);
bool is_upper(char32_t c);
bool is_lower(char32_t c);
bool is_punctuation(char32_t c);  ///< general category P*
bool is_number(char32_t c);       ///< general category N*
bool is_symbol(char32_t c);       ///< general category S*

/// Not empty and all code points are digits.
bool is_digit(std::string_view s);

std::string_view strip(std::string_view s);
std::string_view lstrip(std::string_view s);
std::string_view rstrip(std::string_view s);
/// strip(chars): `chars` is a set of code points.
std::string_view strip(std::string_view s, std::string_view chars);
std::string_view lstrip(std::string_view s, std::string_view chars);
std::string_view rstrip(std::string_view s, std::string_view chars);

std::string lower(std::string_view s);       ///< full mapping, with final sigma
std::string upper(std::string_view s);       ///< full mapping (ß becomes SS)
std::string capitalize(std::string_view s);  ///< title-cases the first code point, lowers the rest
std::string title(std::string_view s);

}  // namespace tare::base::unicode
