#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

/// What CPython prints and reads: str(), repr(), float formatting and literals.
namespace tare::base::python {

std::string repr(const Value& value);
/// str(): strings as they are, everything else as repr (datetime as "2020-01-02 03:04:05").
std::string str(const Value& value);

/// repr of a str: single quotes unless the text has ' and no "; escapes as CPython 3.11 does.
std::string repr_text(std::string_view text);
/// repr of a float: the shortest text that reads back as the same double: "0.1", "1e-05", "1e+16",
/// "inf", "nan".
std::string repr_real(double number);

/// The same under one name; templates, so that repr(1) and repr(true) go to Value.
template <std::convertible_to<std::string_view> Text>
std::string repr(const Text& text) {
  return repr_text(text);
}
template <std::same_as<double> Real>
std::string repr(Real number) {
  return repr_real(number);
}

/// ast.literal_eval: numbers (with sign), strings (all prefixes but b and f; adjacent ones joined),
/// True, False, None, lists, tuples, dicts. The error text says what was found and where. Refused,
/// where CPython reads them: sets, bytes, complex numbers, integers beyond 64 bits, \N{...}, lone
/// surrogates, and a sign before a bracket. Indentation and a joined line at the end do no harm.
Result<Value> parse_literal(std::string_view text);

}  // namespace tare::base::python
