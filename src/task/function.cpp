#include "task/function.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "text/yaml.h"

namespace tare::task {
namespace {

using base::Dict;
using base::List;
using base::Value;

constexpr std::string_view kFolderKey = "folder";

bool contains_function(const Value& value) {
  if (value.find(text::yaml::kFunctionKey) != nullptr) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), contains_function);
  if (!value.is_dict()) return false;
  return std::ranges::any_of(
      value.as_dict(), [](const Dict::Entry& entry) { return contains_function(entry.second); });
}

void collect(const Value& value, const std::string& field, std::vector<FunctionUse>& found) {
  if (auto function = function_ref(value)) {
    found.push_back({field, std::move(*function)});
  } else if (value.is_sequence()) {
    for (std::size_t i = 0; i < value.items().size(); ++i)
      collect(value.items()[i], fmt::format("{}[{}]", field, i), found);
  } else if (value.is_dict()) {
    for (const auto& [key, item] : value.as_dict()) {
      const std::string name = base::python::str(key);
      collect(item, field.empty() ? name : field + "." + name, found);
    }
  }
}

}  // namespace

std::optional<FunctionRef> function_ref(const Value& value) {
  const Value* name = value.find(text::yaml::kFunctionKey);
  if (name == nullptr || !name->is_string()) return std::nullopt;
  const Value* folder = value.find(kFolderKey);
  return FunctionRef{name->as_string(), folder != nullptr ? folder->as_string() : std::string()};
}

Value with_function_folder(const Value& value, const std::filesystem::path& folder) {
  if (!contains_function(value)) return value;
  if (value.is_sequence()) {
    List items;
    for (const Value& item : value.items()) items.push_back(with_function_folder(item, folder));
    return items;
  }
  Dict dict;
  for (const auto& [key, item] : value.as_dict()) dict.set(key, with_function_folder(item, folder));
  if (dict.find(text::yaml::kFunctionKey) != nullptr) dict.set(kFolderKey, folder.string());
  return dict;
}

std::vector<FunctionUse> functions_in(const Value& merged) {
  std::vector<FunctionUse> found;
  collect(merged, "", found);
  return found;
}

}  // namespace tare::task
