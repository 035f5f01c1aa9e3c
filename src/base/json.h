#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

namespace tare::base::json {

/// Strict JSON plus Python's NaN, Infinity and -Infinity. The error text gives line and column.
/// Integers outside 64 bits become reals. A duplicate key keeps the last value.
Result<Value> parse(std::string_view text);

struct Style {
  int indent = -1;             ///< spaces a level; -1: one line with ", " and ": "
  bool ascii_only = false;     ///< \uXXXX for everything outside ASCII
  bool unknown_as_str = true;  ///< datetime: str() of it, as lm-eval's fallback handler does
};

/// json.dumps of CPython, byte for byte: separators, escapes, float repr, NaN and Infinity tokens;
/// keys that are numbers, booleans or None are turned into text as json.dumps does.
std::string dump(const Value& value, Style style = {});

}  // namespace tare::base::json
