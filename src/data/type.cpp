#include "data/type.h"

#include <fmt/format.h>

#include <algorithm>

namespace tare::data {
namespace {

std::string_view kind_name(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::null:
      return "null";
    case Type::Kind::boolean:
      return "bool";
    case Type::Kind::integer:
      return "int64";
    case Type::Kind::real:
      return "double";
    case Type::Kind::timestamp:
      return "timestamp";
    case Type::Kind::string:
      return "string";
    case Type::Kind::list:
      return "list";
    case Type::Kind::structure:
      return "struct";
    case Type::Kind::json:
      return "json";
  }
  return "";
}

}  // namespace

const Field* Type::find(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) {
    return field.name.as_string() == name;
  });
  return found == fields.end() ? nullptr : &*found;
}

bool operator==(const Type& a, const Type& b) {
  return a.kind == b.kind && a.labels == b.labels &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const Field& x, const Field& y) {
                      return x.name.as_string() == y.name.as_string() && x.type == y.type;
                    });
}

Type list_of(Type item) {
  Type list{Type::Kind::list, {}, {}};
  list.fields.push_back({"item", std::move(item)});
  return list;
}

std::string describe(const Type& type) {
  if (type.kind == Type::Kind::list) return "list of " + describe(type.item());
  std::string text(kind_name(type.kind));
  for (std::size_t i = 0; i < type.fields.size(); ++i)
    text += fmt::format("{}{}: {}", i == 0 ? " of " : ", ", type.fields[i].name.as_string(),
                        describe(type.fields[i].type));
  return text;
}

}  // namespace tare::data
