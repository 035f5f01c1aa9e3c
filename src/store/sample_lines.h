#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "base/value.h"

namespace tare::store {

/// Hands each line of a task's samples file to `use`, which says whether it is a sample. Errors: no
/// such file, a line that is none.
base::Status each_sample(const std::filesystem::path& folder, const std::string& task,
                         const std::function<bool(const base::Value& line)>& use);

}  // namespace tare::store
