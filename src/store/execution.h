#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "core/execution.h"

namespace tare::store {

/// execution.json: how the run went this time (docs/formats/execution.md), indent 2.
std::string execution_json(const core::Execution& execution);

/// Writes it into the folder, whole or not at all.
base::Status write_execution(const core::Execution& execution, const std::filesystem::path& folder);

/// What the run was expected to take and took; none where nothing was asked. Error: no such file,
/// or one that cannot be read.
base::Result<std::optional<core::Budget>> read_budget(const std::filesystem::path& folder);

/// True if a run came to its end in the folder, be it a shard, which has no results.
bool holds_execution(const std::filesystem::path& folder);

}  // namespace tare::store
