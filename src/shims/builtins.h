#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shims/interpreter.h"

namespace tare::shims {

/// Python's built-in functions, types and exceptions by name.
std::unordered_map<std::string, Value> make_builtins(Heap& heap);

/// Methods of Python's own types that text::jinja leaves out; missing when there is none.
Value extra_method(Interpreter& python, const Value& object, std::string_view name);

/// Binary operators on objects of this room other than sets.
Value object_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b);

/// An operator between two collections.Counter; missing for other values.
Value counter_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b);

/// set(iterable).
Value set_from(Interpreter& python, const Value& iterable);
/// sorted(); `key` may be missing or None.
std::vector<Value> sorted_by(Interpreter& python, std::vector<Value> items, const Value& key,
                             bool reverse);

/// A module of Python's library or of a package, as far as it is built in. Raises for others.
Value make_library(Interpreter& python, const std::string& name);

/// The argument of a call by position or by name; missing when there is none.
Value argument(const Arguments& arguments, std::size_t position, std::string_view name = {});
/// The same as text; raises for other types.
std::string text_argument(const Arguments& arguments, std::size_t position,
                          std::string_view name = {});
/// Raises when there are named arguments, or more or fewer positional ones.
void expect_arguments(const Arguments& arguments, std::size_t least, std::size_t most,
                      std::string_view function);

}  // namespace tare::shims
