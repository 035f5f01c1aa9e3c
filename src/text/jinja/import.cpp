#include "text/jinja/import.h"

namespace tare::text::jinja {
namespace {

std::vector<Value> import_items(Heap& heap, const base::Value& value) {
  std::vector<Value> items;
  items.reserve(value.items().size());
  for (const base::Value& item : value.items()) items.push_back(import_value(heap, item));
  return items;
}

Value import_dict(Heap& heap, const base::Dict& source) {
  auto* dict = heap.make<Dict>();
  for (const auto& [key, value] : source)
    dict->set(heap, import_value(heap, key), import_value(heap, value));
  return dict;
}

}  // namespace

Value import_value(Heap& heap, const base::Value& value) {
  using Kind = base::Value::Kind;
  switch (value.kind()) {
    case Kind::none:
      return Value::none();
    case Kind::boolean:
      return value.as_bool();
    case Kind::integer:
      return value.as_int();
    case Kind::real:
      return value.as_real();
    case Kind::string:
      return Value::borrowed(value.as_string());
    case Kind::datetime:
      return heap.make<DateTime>(value.as_datetime());
    default:
      break;
  }
  const Heap::Level level(heap);
  if (value.is_dict()) return import_dict(heap, value.as_dict());
  return value.is_tuple() ? heap.tuple(import_items(heap, value))
                          : heap.list(import_items(heap, value));
}

}  // namespace tare::text::jinja
