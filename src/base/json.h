#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

namespace tare::base::json {

/// Strict JSON plus Python's NaN, Infinity and -Infinity. The error text gives line and column.
/// Integers outside 64 bits become reals. A duplicate key keeps the last value. Refused, where
/// CPython reads them: a lone surrogate (\ud800), which no UTF-8 can hold, and more than 1000
/// levels.
Result<Value> parse(std::string_view text);

struct Style {
  int indent = -1;          ///< spaces a level; -1: one line with ", " and ": "
  bool ascii_only = false;  ///< \uXXXX for everything outside ASCII
};

/// json.dumps of CPython, byte for byte: separators, escapes, float repr, NaN and Infinity tokens;
/// keys that are numbers, booleans or None are turned into text as json.dumps does. A datetime, and
/// a key that json.dumps refuses, is written as its str(), as lm-eval's fallback handler does.
std::string dump(const Value& value, Style style = {});

}  // namespace tare::base::json
