#pragma once

#include "base/result.h"
#include "data/type.h"

namespace tare::data {

/// Adds to `target` what only `seen` has: columns, struct fields, and a type where there was none.
void extend(Type& target, const Type& seen);

/// A value of type `from` as one of type `to`, as Arrow's safe cast does it: nothing may be lost.
/// The error says what is there and what the type wants.
base::Result<base::Value> cast(const base::Value& value, const Type& from, const Type& to);

}  // namespace tare::data
