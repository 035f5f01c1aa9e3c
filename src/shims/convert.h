#pragma once

#include "base/value.h"
#include "shims/interpreter.h"

namespace tare::shims {

/// A value for use in the interpreter, which owns it.
Value copy_in(Interpreter& python, const base::Value& value);
/// The same the other way. Raises for what no base::Value can hold: functions, sets, iterators.
base::Value copy_out(Interpreter& python, const Value& value);

}  // namespace tare::shims
