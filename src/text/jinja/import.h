#pragma once

#include "base/value.h"
#include "text/jinja/heap.h"

namespace tare::text::jinja {

/// A document's value for use in a template. Strings are borrowed; lists and dicts are copied, so
/// that a template may change them without changing the document.
Value import_value(Heap& heap, const base::Value& value);

}  // namespace tare::text::jinja
