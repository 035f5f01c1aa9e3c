#include <fmt/format.h>

#include "base/unicode.h"
#include "score/filter_table.h"

/// Filters that change each answer without a pattern.
namespace tare::score {
namespace {

using base::Value;
using Documents = std::span<const core::Document>;

std::string stripped(std::string_view text) {
  return std::string(base::unicode::strip(text));
}

template <std::string (*Change)(std::string_view)>
base::Result<Responses> changed(const Value&, Responses responses, Documents) {
  return map_elements(std::move(responses), [](const Value& answer) -> base::Result<Value> {
    if (!answer.is_string())
      return base::work_failed(fmt::format("an answer is {}, wanted a text", answer.type_name()));
    return Value(Change(answer.as_string()));
  });
}

base::Status check_map(const Value& arguments) {
  const Value mapping = argument(arguments, "mapping_dict", nullptr);
  if (mapping.is_none() || mapping.is_dict()) return {};
  return base::input_error(
      fmt::format("mapping_dict: found {}, wanted a dict", mapping.type_name()));
}

base::Result<Responses> map(const Value& arguments, Responses responses, Documents) {
  const Value mapping = argument(arguments, "mapping_dict", nullptr);
  const Value otherwise = argument(arguments, "default_value", nullptr);
  return map_elements(std::move(responses), [&](const Value& answer) -> base::Result<Value> {
    if (!hashable(answer))
      return base::work_failed(
          fmt::format("cannot look up an answer of type {}", answer.type_name()));
    const Value* found = mapping.is_dict() ? mapping.as_dict().find(answer) : nullptr;
    return found == nullptr ? otherwise : *found;
  });
}

constexpr std::array<Filter, 4> kFilters = {{
    {"remove_whitespace", changed<stripped>, nullptr, {}, true},
    {"lowercase", changed<base::unicode::lower>},
    {"uppercase", changed<base::unicode::upper>},
    {"map", map, check_map, {"mapping_dict", "default_value"}},
}};

}  // namespace

std::span<const Filter> text_filters() {
  return kFilters;
}

}  // namespace tare::score
