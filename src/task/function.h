#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "core/functions.h"

namespace tare::task {

/// The function that `value` is, if it is one: its name and the folder its module is looked up in,
/// that of the file in which the tag is written, which an include may make another one than the
/// task's.
std::optional<core::FunctionRef> function_ref(const base::Value& value);

/// The same with the helper file looked up and hashed.
std::optional<core::FunctionRef> resolved_function(const base::Value& value);

/// `value` with `folder` written into every !function inside it.
base::Value with_function_folder(const base::Value& value, const std::filesystem::path& folder);

struct NamedFunction {
  std::string field;  ///< "doc_to_text", "metric_list[1].aggregation"
  core::FunctionRef function;
};

/// Every !function inside a task's merged YAML.
std::vector<NamedFunction> functions_in(const base::Value& merged);

/// What the function under a key is used for; none for a key whose function is never called.
std::optional<core::FunctionUse> use_of_field(std::string_view field);

/// A function with what runs it.
struct Callable {
  core::FunctionRef function;
  core::Functions* functions = nullptr;
  [[nodiscard]] base::Result<base::Value> call(core::FunctionUse use,
                                               std::span<const base::Value> arguments) const;
};

}  // namespace tare::task
