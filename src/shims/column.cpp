#include "shims/column.h"

#include <algorithm>

namespace tare::shims {
namespace {

using base::Dict;
using base::List;
using base::Value;

template <class Test>
bool any_of(const std::vector<Value>& values, Test test) {
  return std::ranges::any_of(values, test);
}

/// The items of all lists as one column, put back into lists.
void settle_items(std::vector<Value>& values) {
  std::vector<Value> items;
  for (const Value& value : values)
    if (value.is_sequence()) items.insert(items.end(), value.items().begin(), value.items().end());
  settle_column(items);
  std::size_t at = 0;
  for (Value& value : values) {
    if (!value.is_sequence()) continue;
    const std::size_t size = value.items().size();
    List list(items.begin() + static_cast<std::ptrdiff_t>(at),
              items.begin() + static_cast<std::ptrdiff_t>(at + size));
    value = std::move(list);
    at += size;
  }
}

/// Every dict gets every key, in the order in which they first appear; each key is a column.
void settle_fields(std::vector<Value>& values) {
  std::vector<Value> keys;
  for (const Value& value : values)
    if (value.is_dict())
      for (const auto& [key, unused] : value.as_dict())
        if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  std::vector<Dict> made(values.size());
  for (const Value& key : keys) {
    std::vector<Value> column;
    for (const Value& value : values) {
      const Value* found = value.is_dict() ? value.as_dict().find(key) : nullptr;
      column.push_back(found != nullptr ? *found : Value());
    }
    settle_column(column);
    for (std::size_t i = 0; i < values.size(); ++i) made[i].set(key, std::move(column[i]));
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].is_dict()) values[i] = std::move(made[i]);
}

}  // namespace

void settle_column(std::vector<Value>& values) {
  if (any_of(values, [](const Value& v) { return v.is_sequence(); })) settle_items(values);
  if (any_of(values, [](const Value& v) { return v.is_dict(); })) settle_fields(values);
  if (any_of(values, [](const Value& v) { return v.is_real(); }))
    for (Value& value : values)
      if (value.is_int()) value = value.as_number();
}

}  // namespace tare::shims
