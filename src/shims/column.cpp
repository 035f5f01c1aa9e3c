#include "shims/column.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/number.h"

namespace tare::shims {
namespace {

using base::Dict;
using base::List;
using base::Value;

/// The type of an Arrow column.
struct Type {
  enum class Kind { nothing, boolean, integer, real, text, time, list, record, mixed };
  Kind kind = Kind::nothing;
  std::vector<Type> inner;  ///< of a list: its item; of a record: its fields
  std::vector<Value> keys;  ///< of a record
};
using Kind = Type::Kind;

Type infer(const std::vector<Value>& values);

Kind kind_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::none:
      return Kind::nothing;
    case Value::Kind::boolean:
      return Kind::boolean;
    case Value::Kind::integer:
      return Kind::integer;
    case Value::Kind::real:
      return Kind::real;
    case Value::Kind::string:
      return Kind::text;
    case Value::Kind::datetime:
      return Kind::time;
    case Value::Kind::dict:
      return Kind::record;
    default:
      return Kind::list;
  }
}

Kind common(Kind a, Kind b) {
  if (a == b || b == Kind::nothing) return a;
  if (a == Kind::nothing) return b;
  const bool numbers =
      (a == Kind::integer && b == Kind::real) || (a == Kind::real && b == Kind::integer);
  return numbers ? Kind::real : Kind::mixed;
}

Type infer_list(const std::vector<Value>& values) {
  std::vector<Value> items;
  for (const Value& value : values)
    if (value.is_sequence()) items.insert(items.end(), value.items().begin(), value.items().end());
  Type type{Kind::list, {infer(items)}, {}};
  if (type.inner[0].kind == Kind::mixed) type.kind = Kind::mixed;
  return type;
}

Type infer_record(const std::vector<Value>& values) {
  Type type{Kind::record, {}, {}};
  const Dict* first = nullptr;
  for (const Value& value : values) {
    if (!value.is_dict()) continue;
    if (first == nullptr) first = &value.as_dict();
    const bool same = value.as_dict().size() == first->size() &&
                      std::ranges::all_of(value.as_dict(), [&](const Dict::Entry& entry) {
                        return first->find(entry.first) != nullptr;
                      });
    if (!same) return Type{Kind::mixed, {}, {}};
  }
  for (const auto& [key, unused] : *first) {
    std::vector<Value> column;
    for (const Value& value : values)
      if (value.is_dict()) column.push_back(*value.as_dict().find(key));
    type.keys.push_back(key);
    type.inner.push_back(infer(column));
    if (type.inner.back().kind == Kind::mixed) return Type{Kind::mixed, {}, {}};
  }
  return type;
}

Type infer(const std::vector<Value>& values) {
  Kind kind = Kind::nothing;
  for (const Value& value : values) kind = common(kind, kind_of(value));
  if (kind == Kind::list) return infer_list(values);
  if (kind == Kind::record) return infer_record(values);
  return Type{kind, {}, {}};
}

std::optional<Value> cast(const Value& value, const Type& type);

std::optional<Value> cast_integer(const Value& value) {
  if (value.is_int()) return value;
  if (value.is_bool()) return Value(std::int64_t{value.as_bool()});
  if (value.is_real() && value.as_real() == std::floor(value.as_real()) &&
      std::abs(value.as_real()) < 9e18)
    return Value(static_cast<std::int64_t>(value.as_real()));
  if (!value.is_string() || value.as_string().starts_with('+')) return std::nullopt;
  const auto number = base::read_integer(value.as_string());
  return number ? std::optional<Value>(*number) : std::nullopt;
}

std::optional<Value> cast_real(const Value& value) {
  if (value.is_number()) return Value(value.as_number());
  if (value.is_bool()) return Value(value.as_bool() ? 1.0 : 0.0);
  if (!value.is_string()) return std::nullopt;
  const auto number = base::read_real(value.as_string());
  return number ? std::optional<Value>(*number) : std::nullopt;
}

std::optional<Value> cast_boolean(const Value& value) {
  if (value.is_bool()) return value;
  if (value.is_number()) return Value(value.as_number() != 0);
  if (!value.is_string()) return std::nullopt;
  std::string text = value.as_string();
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
  if (text == "true" || text == "1") return Value(true);
  if (text == "false" || text == "0") return Value(false);
  return std::nullopt;
}

std::optional<Value> cast_list(const Value& value, const Type& type) {
  if (!value.is_sequence()) return std::nullopt;
  List items;
  for (const Value& item : value.items()) {
    auto made = cast(item, type.inner[0]);
    if (!made) return std::nullopt;
    items.push_back(std::move(*made));
  }
  return Value(std::move(items));
}

std::optional<Value> cast_record(const Value& value, const Type& type) {
  if (!value.is_dict()) return std::nullopt;
  Dict made;
  std::size_t used = 0;
  for (std::size_t i = 0; i < type.keys.size(); ++i) {
    const Value* found = value.as_dict().find(type.keys[i]);
    if (found != nullptr) ++used;
    auto item = cast(found != nullptr ? *found : Value(), type.inner[i]);
    if (!item) return std::nullopt;
    made.set(type.keys[i], std::move(*item));
  }
  if (used != value.as_dict().size()) return std::nullopt;
  return Value(std::move(made));
}

/// The value as one of the type; nothing where Arrow refuses. None is of every type.
std::optional<Value> cast(const Value& value, const Type& type) {
  if (value.is_none()) return value;
  switch (type.kind) {
    case Kind::boolean:
      return cast_boolean(value);
    case Kind::integer:
      return cast_integer(value);
    case Kind::real:
      return cast_real(value);
    case Kind::list:
      return cast_list(value, type);
    case Kind::record:
      return cast_record(value, type);
    case Kind::text:
      return value.is_string() ? std::optional<Value>(value) : std::nullopt;
    case Kind::time:
      return value.is_datetime() ? std::optional<Value>(value) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<Value>> cast_all(const std::vector<Value>& values, const Type& type) {
  std::vector<Value> made;
  made.reserve(values.size());
  for (const Value& value : values) {
    auto item = cast(value, type);
    if (!item) return std::nullopt;
    made.push_back(std::move(*item));
  }
  return made;
}

/// Tuples as lists, at any depth.
Value without_tuples(const Value& value) {
  if (value.is_sequence()) {
    List items;
    for (const Value& item : value.items()) items.push_back(without_tuples(item));
    return items;
  }
  if (!value.is_dict()) return value;
  Dict dict;
  for (const auto& [key, item] : value.as_dict()) dict.set(key, without_tuples(item));
  return dict;
}

/// Values of mixed types are kept as JSON: a text that is JSON comes back as what it says.
bool has_json_text(const Value& value) {
  if (value.is_string()) {
    const std::string& text = value.as_string();
    return base::json::parse(text) || text == "NaN" || text.find("Infinity") != std::string::npos ||
           (!text.empty() && text.find_first_not_of("+-.0123456789eE \t\n\r") == std::string::npos);
  }
  if (value.is_sequence()) return std::ranges::any_of(value.items(), has_json_text);
  return value.is_dict() && std::ranges::any_of(value.as_dict(), [](const auto& entry) {
           return has_json_text(entry.second);
         });
}

}  // namespace

base::Result<std::vector<Value>> settle_column(std::vector<Value> values,
                                               const std::vector<Value>& before) {
  const bool was_there = !before.empty();
  if (was_there) {
    const Type old = infer(before);
    if (auto made = cast_all(values, old); made && old.kind != Kind::nothing) return *made;
    if (old.kind == Kind::mixed)
      return base::work_failed("a column of mixed types cannot be changed");
  }
  const Type type = infer(values);
  if (type.kind == Kind::mixed && was_there)
    return base::work_failed("a column that is changed cannot hold mixed types");
  if (auto made = cast_all(values, type); made && type.kind != Kind::mixed) return *made;
  if (std::ranges::any_of(values, has_json_text))
    return base::input_error("texts that are JSON beside values of other types are not built in");
  std::ranges::transform(values, values.begin(), without_tuples);
  return values;
}

}  // namespace tare::shims
