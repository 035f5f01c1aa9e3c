#pragma once

#include <string>
#include <string_view>

#include "text/jinja/heap.h"

namespace tare::text::jinja {

struct MacroBody;
struct Frame;

/// A macro, or the caller of a call block: a body and the frame in which it was defined.
struct Macro : Object {
  static constexpr Kind kKind = Kind::macro;
  Macro(const MacroBody& what, Frame* where) : Object(kKind), body(what), closure(where) {}
  const MacroBody& body;
  Frame* closure;
};

/// macro.name and the like; missing when there is no such attribute.
Value macro_attribute(Heap& heap, const Macro& macro, std::string_view name);
std::string macro_repr(const Macro& macro);

}  // namespace tare::text::jinja
