#pragma once

#include <string>

#include "text/jinja/heap.h"

namespace tare::text::jinja {

/// Appends str(value), what {{ value }} prints. Raises for an undefined value, and for objects
/// whose text in Python is a memory address.
void append_str(Heap& heap, std::string& out, const Value& value);
std::string str(Heap& heap, const Value& value);
std::string repr(Heap& heap, const Value& value);
/// repr() with all but ASCII escaped.
std::string ascii_repr(Heap& heap, const Value& value);

}  // namespace tare::text::jinja
