#include "task/field_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/python.h"
#include "base/unicode.h"
#include "task/function.h"

namespace tare::task {
namespace {

using base::Value;

constexpr std::array<std::pair<Kind, std::string_view>, 8> kKindNames{{
    {kText, "a text"},
    {kInt, "a whole number"},
    {kReal, "a number"},
    {kBool, "true or false"},
    {kList, "a list"},
    {kDict, "a mapping"},
    {kFunction, "a !function"},
    {kNone, "null"},
}};

}  // namespace

Kind kind_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::none:
      return kNone;
    case Value::Kind::boolean:
      return kBool;
    case Value::Kind::integer:
      return kInt;
    case Value::Kind::real:
      return kReal;
    case Value::Kind::list:
    case Value::Kind::tuple:
      return kList;
    case Value::Kind::dict:
      return function_ref(value) ? kFunction : kDict;
    case Value::Kind::string:
    case Value::Kind::datetime:
      break;
  }
  return kText;
}

std::string describe_kinds(unsigned kinds) {
  std::vector<std::string> names;
  for (const auto& [kind, name] : kKindNames)
    if ((kinds & kind) != 0) names.emplace_back(name);
  return base::join_or(names);
}

std::string shown(const Value& value) {
  constexpr std::size_t kLongest = 60;
  std::u32string text = base::unicode::to_utf32(base::python::repr(value));
  if (text.size() > kLongest) text = text.substr(0, kLongest) + U"…";
  return base::unicode::to_utf8(text);
}

std::string describe_value(const Value& value) {
  if (value.is_none()) return "null";
  if (const auto function = function_ref(value)) return fmt::format("!function {}", function->name);
  const auto name =
      std::ranges::find(kKindNames, kind_of(value), &decltype(kKindNames)::value_type::first);
  return fmt::format("{} ({})", shown(value), name->second);
}

}  // namespace tare::task
