#pragma once

#include "text/jinja/builtin.h"

namespace tare::text::jinja {

/// dict.update(): from a dict, a namespace's dict or an iterable of pairs, then from names.
void update_dict(Heap& heap, Dict& dict, const Value& from,
                 const std::vector<NamedArgument>& named);

/// The items() of a dict as a list of pairs.
std::vector<Value> dict_pairs(Heap& heap, const Dict& dict);

}  // namespace tare::text::jinja
