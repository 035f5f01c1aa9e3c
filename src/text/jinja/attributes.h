#pragma once

#include <string_view>

#include "text/jinja/heap.h"
#include "text/jinja/methods.h"

namespace tare::text::jinja {

/// object.name: the attribute first, then the item; undefined when there is neither.
Value get_attribute(Heap& heap, const Value& object, const Value& name, const MethodSet& methods);
/// As get_attribute without the item: what the filter attr does.
Value get_attribute_only(Heap& heap, const Value& object, const Value& name);
/// object[index]: the item first, then the attribute.
Value get_item(Heap& heap, const Value& object, const Value& index);
/// object[start:stop:step]; missing bounds are not given.
Value get_slice(Heap& heap, const Value& object, const Value& start, const Value& stop,
                const Value& step);

}  // namespace tare::text::jinja
