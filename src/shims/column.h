#pragma once

#include <vector>

#include "base/value.h"

namespace tare::shims {

/// What a column of Python values becomes when `datasets` writes it to Arrow and reads it back:
/// tuples are lists, integers among reals are reals, and dicts have the keys of all of them, with
/// None where there was none. `before` are the values that the column had, whose type wins.
/// Columns that Arrow refuses (a text beside a number) stay as they are.
void settle_column(std::vector<base::Value>& values);

}  // namespace tare::shims
