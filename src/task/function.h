#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"

namespace tare::task {

/// A Python function that a YAML names with !function, and the folder its module is looked up in:
/// that of the file in which the tag is written, which an include may make another one than the
/// task's.
struct FunctionRef {
  std::string name;  ///< dotted: module.path.function
  std::filesystem::path folder;
};

/// The function that `value` is, if it is one.
std::optional<FunctionRef> function_ref(const base::Value& value);

/// `value` with `folder` written into every !function inside it.
base::Value with_function_folder(const base::Value& value, const std::filesystem::path& folder);

struct FunctionUse {
  std::string field;  ///< "doc_to_text", "metric_list[1].aggregation"
  FunctionRef function;
};

/// Every !function inside a task's merged YAML.
std::vector<FunctionUse> functions_in(const base::Value& merged);

}  // namespace tare::task
