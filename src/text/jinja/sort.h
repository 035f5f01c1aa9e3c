#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "text/jinja/operators.h"

namespace tare::text::jinja {

/// sorted(items, key=..., reverse=...): stable either way.
template <class Key>
std::vector<Value> sorted(Heap& heap, std::vector<Value> items, Key key, bool reverse) {
  std::vector<std::pair<Value, Value>> keyed;
  keyed.reserve(items.size());
  for (Value& item : items) {
    Value by = key(item);
    keyed.emplace_back(std::move(by), std::move(item));
  }
  if (reverse) std::reverse(keyed.begin(), keyed.end());
  std::stable_sort(keyed.begin(), keyed.end(),
                   [&heap](const auto& a, const auto& b) { return less(heap, a.first, b.first); });
  if (reverse) std::reverse(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = std::move(keyed[i].second);
  return items;
}

}  // namespace tare::text::jinja
