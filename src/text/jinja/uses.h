#pragma once

#include <string_view>

#include "text/jinja/ast.h"

namespace tare::text::jinja {

/// Whether `body` reads `name` before it assigns to it: how Jinja2 decides that a loop needs its
/// loop object and a macro its caller, kwargs and varargs.
bool uses_name(Block& body, std::string_view name);

/// The line of the first assignment to `name` inside `loop`, or 0.
int line_of_store(For& loop, int line, std::string_view name);

}  // namespace tare::text::jinja
