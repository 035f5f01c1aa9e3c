#include "shims/convert.h"

#include <fmt/format.h>

#include "text/jinja/import.h"

namespace tare::shims {

using text::jinja::type_name;
using text::jinja::unsupported;

Value copy_in(Interpreter& python, const base::Value& value) {
  if (value.is_string()) return python.heap().text(value.as_string());
  if (value.is_sequence()) {
    std::vector<Value> items;
    items.reserve(value.items().size());
    for (const base::Value& item : value.items()) items.push_back(copy_in(python, item));
    return value.is_tuple() ? python.heap().tuple(std::move(items))
                            : python.heap().list(std::move(items));
  }
  if (!value.is_dict()) return text::jinja::import_value(python.heap(), value);
  auto* dict = python.heap().make<Dict>();
  for (const auto& [key, item] : value.as_dict())
    dict->set(python.heap(), copy_in(python, key), copy_in(python, item));
  return dict;
}

base::Value copy_out(Interpreter& python, const Value& value) {
  const Heap::Level level(python.heap());
  if (value.is_none()) return nullptr;
  if (value.is_bool()) return value.as_bool();
  if (value.is_int()) return value.as_int();
  if (value.is_real()) return value.as_real();
  if (value.is_string()) return value.str();
  if (const auto* items = text::jinja::sequence_items(value)) {
    base::List list;
    list.reserve(items->size());
    for (const Value& item : *items) list.push_back(copy_out(python, item));
    return as<List>(value) != nullptr ? base::Value(std::move(list))
                                      : base::Value::tuple(std::move(list));
  }
  if (const auto* time = as<text::jinja::DateTime>(value)) return time->time;
  const auto* dict = as<Dict>(value);
  if (dict == nullptr)
    unsupported(fmt::format("a {} cannot leave a helper function", type_name(value)));
  base::Dict out;
  for (const auto& [key, item] : dict->entries())
    out.set(copy_out(python, key), copy_out(python, item));
  return out;
}

}  // namespace tare::shims
