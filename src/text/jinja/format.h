#pragma once

#include <string>
#include <string_view>

#include "text/jinja/builtin.h"

namespace tare::text::jinja {

/// `text % argument`, printf style.
Value format_percent(Heap& heap, const Value& text, const Value& argument);

/// text.format(...): `args` are {0}, {1}, ..., `named` are {name}.
std::string format_braces(Heap& heap, std::string_view text, const std::vector<Value>& args,
                          const std::vector<NamedArgument>& named);

/// format(value, spec), with Python's mini-language.
std::string format_value(Heap& heap, const Value& value, std::string_view spec);

/// What both kinds of formatting say about a number.
struct NumberFormat {
  char type = 'd';         ///< d b o x X, or e E f F g G %, or r: the shortest text, with ".0"
  int precision = -1;      ///< -1: the default of the type
  bool alternate = false;  ///< #: prefixes of integers, trailing zeros of g
};
/// The digits of |number| in its base, without sign and prefix.
std::string integer_digits(std::int64_t number, char type);
/// "0x", "0o" or "0b", or nothing for decimals.
std::string_view integer_prefix(char type);
/// |number|, without sign.
std::string format_real(double number, const NumberFormat& format);

/// How a text is filled up to a width.
struct Padding {
  std::string fill = " ";
  char align = '<';  ///< < > ^, or = for between sign and digits
  std::size_t width = 0;
};
std::string pad_text(Heap& heap, std::string_view text, const Padding& padding);
/// `lead` is a sign and prefix, which `=` keeps in front.
std::string pad_number(Heap& heap, std::string_view lead, std::string_view digits,
                       const Padding& padding);

/// Refuses a width or precision that no sensible template asks for.
int checked_size(Heap& heap, std::int64_t size);

/// The sign to write: '-', what was asked for, or nothing.
std::string sign_text(bool negative, char wanted);

}  // namespace tare::text::jinja
