#pragma once

#include "base/result.h"
#include "base/value.h"
#include "task/merge.h"
#include "task/task.h"

namespace tare::task {

/// Checks every key of a merged task YAML against the table of fields and types it.
base::Result<TaskConfig> typed_config(const MergedYaml& merged, const std::filesystem::path& file);

/// lm-eval's "configs" entry of a task: every field that is not null, defaults included, in the
/// order of its own config class. The options' metadata is added to the task's.
base::Value config_block(const TaskConfig& config, std::size_t num_fewshot,
                         const BuildOptions& options);

}  // namespace tare::task
