#pragma once

#include <string>
#include <vector>

#include "text/jinja/attributes.h"
#include "text/jinja/builtin.h"
#include "text/jinja/output.h"

namespace tare::text::jinja {

/// A path such as "address.city" or 0 into an item, for the filters that take `attribute`.
class AttributePath {
 public:
  /// None or missing: the item itself. Parts of a string that are digits are indices.
  AttributePath(Heap& heap, const Value& attribute);
  /// Each step takes the item first, then the attribute; an undefined one becomes `otherwise`,
  /// unless that is missing.
  Value get(Heap& heap, Value item, const Value& otherwise = {}) const;

 private:
  std::vector<Value> parts_;
};

/// Strings in lower case, other values as they are.
Value ignore_case(Heap& heap, const Value& value);

/// The input of a filter that calls its items().
const Dict& dict_input(Call& call);

/// The input of a filter as text: a string as it is (safe for HTML if it is), else str() of it.
inline Value soft_text(Call& call) {
  return call.self.is_string() ? call.self : call.heap.text(str(call.heap, call.self));
}

/// A row of a table for what is refused.
template <int Unused = 0>
Value refuse_filter(Call& call) {
  unsupported("the filter '" + std::string(call.name) + "' is not built in");
}

}  // namespace tare::text::jinja
