#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

/// What CPython prints and reads: str(), repr(), float formatting and literals.
namespace tare::base::python {

std::string repr(const Value& value);
/// repr of a str: single quotes unless the text has ' and no "; escapes as CPython 3.11 does.
std::string repr(std::string_view text);
/// str(): strings as they are, everything else as repr (datetime as "2020-01-02 03:04:05").
std::string str(const Value& value);
/// The shortest text that reads back as the same double: "0.1", "1e-05", "1e+16", "inf", "nan".
std::string repr(double number);

/// ast.literal_eval: numbers (with sign), strings (all prefixes but f; adjacent ones joined), True,
/// False, None, lists, tuples, dicts; sets are refused. The error text says what was found and
/// where.
Result<Value> parse_literal(std::string_view text);

}  // namespace tare::base::python
