#include "plain.h"

#include "base/python.h"

namespace tare::test {

using base::Value;

Value plain(const Value& value) {
  base::Dict dict;
  if (value.is_datetime()) {
    dict.set("$datetime", base::python::str(value));
    return dict;
  }
  if (value.is_sequence()) {
    base::List items;
    for (const Value& item : value.items()) items.push_back(plain(item));
    return items;
  }
  if (!value.is_dict()) return value;
  for (const auto& [key, item] : value.as_dict()) dict.set(key, plain(item));
  return dict;
}

Value plain(const core::Split& split) {
  base::Dict dict;
  dict.set("columns", base::List(split.columns.begin(), split.columns.end()));
  dict.set("rows", plain(Value(split.rows)));
  return dict;
}

}  // namespace tare::test
