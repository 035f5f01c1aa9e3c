#pragma once

#include <cstddef>
#include <cstdint>

#include "text/jinja/heap.h"
#include "text/jinja/value.h"

/// Python's operators. Each raises what Python raises; an undefined operand raises UndefinedError.
namespace tare::text::jinja {

enum class BinaryOp { add, subtract, multiply, divide, floor_divide, modulo, power };
enum class UnaryOp { negative, positive };
enum class CompareOp { equal, not_equal, less, less_equal, greater, greater_equal, in, not_in };

Value binary(Heap& heap, BinaryOp op, const Value& a, const Value& b);
Value unary(Heap& heap, UnaryOp op, const Value& operand);
bool compare(Heap& heap, CompareOp op, const Value& a, const Value& b);

bool truthy(const Value& value);
/// a == b. Inside lists and dicts the same object is equal to itself whatever it is.
bool equal(Heap& heap, const Value& a, const Value& b);
/// a < b, as sorted() needs it.
bool less(Heap& heap, const Value& a, const Value& b);
/// item in container.
bool contains(Heap& heap, const Value& container, const Value& item);
/// hash(): equal values have equal hashes; raises for lists and dicts.
std::size_t hash_of(Heap& heap, const Value& value);
/// len().
std::int64_t length_of(const Value& value);

/// Raises UndefinedError if `value` is undefined, strict or not.
void require_defined(const Value& value);
/// Raises UndefinedError if `value` is strictly undefined.
void require_strictly_defined(const Value& value);

}  // namespace tare::text::jinja
