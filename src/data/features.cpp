#include "data/features.h"

#include <string_view>

#include "base/python.h"

namespace tare::data {
namespace {

using base::Value;
using Kind = Type::Kind;

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::optional<Type> read_dtype_name(std::string_view name) {
  const auto plain = [](Kind kind) { return Type{kind, {}, {}}; };
  if (name == "string" || name == "large_string") return plain(Kind::string);
  if (name == "bool") return plain(Kind::boolean);
  if (name == "null") return plain(Kind::null);
  if (name == "json") return plain(Kind::json);
  if (starts_with(name, "int") || starts_with(name, "uint")) return plain(Kind::integer);
  if (starts_with(name, "float")) return plain(Kind::real);
  if (starts_with(name, "timestamp[") && name.find("tz=") == std::string_view::npos)
    return plain(Kind::timestamp);
  return std::nullopt;
}

/// ClassLabel: names as a list, or as a mapping from number to name.
std::optional<Type> read_class_label(const Value& label) {
  const Value* names = label.find("names");
  if (names == nullptr) return std::nullopt;
  Type type{Kind::integer, {}, {}};
  if (names->is_list())
    for (const Value& name : names->items()) type.labels.push_back(base::python::str(name));
  else if (names->is_dict())
    for (const auto& [number, name] : names->as_dict())
      type.labels.push_back(base::python::str(name));
  return type;
}

std::optional<Type> read_type(const Value& feature);

std::optional<Type> read_dtype(const Value& dtype) {
  if (dtype.is_string()) return read_dtype_name(dtype.as_string());
  if (const Value* label = dtype.find("class_label")) return read_class_label(*label);
  if (dtype.is_dict()) return read_type(dtype);
  if (dtype.is_list()) return read_features(dtype);
  return std::nullopt;
}

/// A sequence of structs is a struct of lists.
std::optional<Type> read_sequence(const Value& of) {
  auto item = read_dtype(of);
  if (!item) return std::nullopt;
  if (item->kind != Kind::structure) return list_of(std::move(*item));
  for (Field& field : item->fields) field.type = list_of(std::move(field.type));
  return item;
}

std::optional<Type> read_type(const Value& feature) {
  if (const Value* dtype = feature.find("dtype")) return read_dtype(*dtype);
  if (const Value* fields = feature.find("struct")) return read_features(*fields);
  if (const Value* of = feature.find("sequence")) return read_sequence(*of);
  if (const Value* of = feature.find("list")) {
    auto item = read_dtype(*of);
    if (item) return list_of(std::move(*item));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Type> read_features(const Value& features) {
  if (!features.is_list() || features.items().empty()) return std::nullopt;
  Type type{Kind::structure, {}, {}};
  for (const Value& feature : features.items()) {
    const Value* name = feature.find("name");
    auto inside = read_type(feature);
    if (name == nullptr || !inside) return std::nullopt;
    type.fields.push_back({base::python::str(*name), std::move(*inside)});
  }
  return type;
}

}  // namespace tare::data
