#include "data/cast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/number.h"
#include "base/python.h"
#include "data/timestamp.h"

namespace tare::data {
namespace {

using base::Result;
using base::Value;
using Kind = Type::Kind;

base::Failure cannot(const Value& value, const Type& to) {
  return base::input_error(
      fmt::format("found {}, wanted {}", base::python::repr(value), describe(to)));
}

std::string shortest(double number, std::chars_format format) {
  std::array<char, 400> text;  // a fixed 1e-300 has 300 zeros; callers ask for fewer
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, format);
  return {text.data(), end.ptr};
}

/// The shortest text of a double in Arrow's style: "1", "0.000001", "1e-7", "1e+10".
std::string arrow_real(double number) {
  if (!std::isfinite(number)) return base::python::repr(number);
  std::string text = shortest(number, std::chars_format::scientific);
  const std::size_t mark = text.find('e');
  const std::int64_t power = *base::read_integer(std::string_view(text).substr(mark + 1));
  if (power >= -6 && power <= 9) return shortest(number, std::chars_format::fixed);
  if (text[mark + 2] == '0') text.erase(mark + 2, 1);
  return text;
}

Result<Value> to_integer(const Value& value, const Type& to) {
  if (value.is_int()) return value;
  if (value.is_bool()) return Value(value.as_bool() ? 1 : 0);
  if (value.is_real()) {
    const double number = value.as_real();
    if (std::trunc(number) != number || std::fabs(number) >= 0x1p63) return cannot(value, to);
    return Value(static_cast<std::int64_t>(number));
  }
  if (!value.is_string()) return cannot(value, to);
  const std::string& text = value.as_string();
  const auto label = std::find(to.labels.begin(), to.labels.end(), text);
  if (label != to.labels.end()) return Value(label - to.labels.begin());
  const auto number = base::read_integer(text);
  return number ? Result<Value>(*number) : cannot(value, to);
}

Result<Value> to_real(const Value& value, const Type& to) {
  if (value.is_bool()) return Value(value.as_bool() ? 1.0 : 0.0);
  if (value.is_number()) return Value(value.as_number());
  if (!value.is_string()) return cannot(value, to);
  const auto number = base::read_real(value.as_string());
  return number ? Result<Value>(*number) : cannot(value, to);
}

Result<Value> to_boolean(const Value& value, const Type& to) {
  if (value.is_number()) return Value(value.as_number() != 0);
  if (value.is_string() && value.as_string() == "true") return Value(true);
  if (value.is_string() && value.as_string() == "false") return Value(false);
  return cannot(value, to);
}

Result<Value> to_string(const Value& value, const Type& to) {
  if (value.is_string()) return value;
  if (value.is_bool()) return Value(value.as_bool() ? "true" : "false");
  if (value.is_int()) return Value(std::to_string(value.as_int()));
  if (value.is_real()) return Value(arrow_real(value.as_real()));
  if (value.is_datetime()) return Value(write_timestamp(value.as_datetime()));
  return cannot(value, to);
}

Result<Value> to_timestamp(const Value& value, const Type& to) {
  if (!value.is_string()) return cannot(value, to);
  const auto time = read_timestamp(value.as_string());
  return time ? Result<Value>(*time) : cannot(value, to);
}

Result<Value> to_list(const Value& value, const Type& from, const Type& to) {
  if (from.kind != Kind::list) return cannot(value, to);
  base::List items;
  items.reserve(value.items().size());
  for (const Value& item : value.items()) {
    TARE_TRY(Value changed, cast(item, from.item(), to.item()));
    items.push_back(std::move(changed));
  }
  return Value(std::move(items));
}

Result<Value> to_structure(const Value& value, const Type& from, const Type& to) {
  if (from.kind != Kind::structure) return cannot(value, to);
  base::Dict dict;
  for (const Field& field : to.fields) {
    const std::string& name = field.name.as_string();
    const Field* source = from.find(name);
    const Value* cell = value.find(name);
    if (source == nullptr || cell == nullptr) {
      dict.set(field.name, Value());
      continue;
    }
    auto changed = cast(*cell, source->type, field.type);
    if (!changed) return base::in_context(name, changed.error());
    dict.set(field.name, std::move(*changed));
  }
  return Value(std::move(dict));
}

}  // namespace

void extend(Type& target, const Type& seen) {
  if (target.kind == Kind::null) {
    target = seen;
    return;
  }
  if (target.kind != seen.kind) return;
  if (target.kind == Kind::list) return extend(target.fields.front().type, seen.item());
  if (target.kind != Kind::structure) return;
  for (const Field& field : seen.fields) {
    const auto name = field.name.as_string();
    const auto known =
        std::find_if(target.fields.begin(), target.fields.end(),
                     [&](const Field& each) { return each.name.as_string() == name; });
    if (known == target.fields.end())
      target.fields.push_back(field);
    else
      extend(known->type, field.type);
  }
}

Result<Value> cast(const Value& value, const Type& from, const Type& to) {
  if (value.is_none() || to.kind == Kind::json || from == to) return value;
  switch (to.kind) {
    case Kind::integer:
      return to_integer(value, to);
    case Kind::real:
      return to_real(value, to);
    case Kind::boolean:
      return to_boolean(value, to);
    case Kind::string:
      return to_string(value, to);
    case Kind::timestamp:
      return to_timestamp(value, to);
    case Kind::list:
      return to_list(value, from, to);
    case Kind::structure:
      return to_structure(value, from, to);
    default:
      return cannot(value, to);
  }
}

}  // namespace tare::data
