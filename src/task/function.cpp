#include "task/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
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

void collect(const Value& value, const std::string& field, std::vector<NamedFunction>& found) {
  if (auto function = resolved_function(value)) {
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

/// The folder above `folder` (or itself) that ends in lm_eval/tasks; empty if there is none.
std::filesystem::path task_root(std::filesystem::path folder) {
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (folder.filename() == "tasks" && folder.parent_path().filename() == "lm_eval") return folder;
  return {};
}

/// Beside the YAML; a module of lm_eval.tasks is looked up in the task folder that the YAML is in.
std::filesystem::path helper_file(const core::FunctionRef& function) {
  static constexpr std::string_view kPackage = "lm_eval/tasks/";
  std::string module = function.name.substr(0, function.name.rfind('.'));
  std::ranges::replace(module, '.', '/');
  std::filesystem::path beside = function.folder / (module + ".py");
  std::error_code error;
  if (!module.starts_with(kPackage) || std::filesystem::exists(beside, error)) return beside;
  return task_root(function.folder) / (module.substr(kPackage.size()) + ".py");
}

}  // namespace

std::optional<core::FunctionRef> function_ref(const Value& value) {
  const Value* name = value.find(text::yaml::kFunctionKey);
  if (name == nullptr || !name->is_string()) return std::nullopt;
  const Value* folder = value.find(kFolderKey);
  core::FunctionRef function;
  function.name = name->as_string();
  if (folder != nullptr) function.folder = folder->as_string();
  return function;
}

std::optional<core::FunctionRef> resolved_function(const Value& value) {
  auto function = function_ref(value);
  if (!function) return function;
  std::filesystem::path file = helper_file(*function);
  if (auto hash = base::sha256_file(file)) {
    function->file = std::move(file);
    function->sha256 = std::move(*hash);
  }
  return function;
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

std::vector<NamedFunction> functions_in(const Value& merged) {
  std::vector<NamedFunction> found;
  collect(merged, "", found);
  return found;
}

std::optional<core::FunctionUse> use_of_field(std::string_view field) {
  using core::FunctionUse;
  struct Row {
    std::string_view begins, ends;
    FunctionUse use;
  };
  static constexpr std::array<Row, 8> kRows{{
      {"", "process_docs", FunctionUse::documents},
      {"process_results", "", FunctionUse::results},
      {"custom_dataset", "", FunctionUse::custom_dataset},
      {"fewshot_config", "samples", FunctionUse::samples},
      {"metric_list", ".aggregation", FunctionUse::aggregation},
      {"metric_list", "", FunctionUse::metric},
      {"filter_list", "", FunctionUse::filter},
      {"", "", FunctionUse::document_field},
  }};
  if (field.starts_with("doc_to_decontamination_query")) return std::nullopt;
  const auto row = std::ranges::find_if(kRows, [&](const Row& candidate) {
    return field.starts_with(candidate.begins) && field.ends_with(candidate.ends);
  });
  return row->use;
}

base::Result<Value> Callable::call(core::FunctionUse use, std::span<const Value> arguments) const {
  return functions->call(function, use, arguments);
}

}  // namespace tare::task
