#pragma once

#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace tare::shims {

/// What a column of Python values becomes when `datasets` 5.2 writes it to Arrow and reads it back.
/// - A column that was there before gets its old type again where all its values can be cast to
///   that: "3" where 2 was is 3, a dict that lacks a key has it as None.
/// - Else tuples are lists and integers among reals are reals; values of other mixed types, and
///   dicts with other keys than their neighbours, stay as they are.
/// `before` holds the old values, and is empty for a new column. Work fails where it does in Arrow,
/// at mixed types in a column that was there before; a text that is JSON among mixed types, which
/// `datasets` reads as what it says, is an input error.
base::Result<std::vector<base::Value>> settle_column(std::vector<base::Value> values,
                                                     const std::vector<base::Value>& before);

}  // namespace tare::shims
