#pragma once

#include <memory>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "cli/groups.h"
#include "cli/run_options.h"
#include "core/remote.h"
#include "core/run_record.h"

namespace tare::cli {

struct PreparedTasks {
  std::vector<core::BuiltTask> tasks;
  std::vector<PlannedGroup> groups;
  std::vector<core::Warning> warnings;  ///< about their prompts
};

/// Finds, loads and builds the tasks that the options name, with their data. Nothing is written and
/// no model is opened: all that is wrong with tasks and data is found here.
base::Result<PreparedTasks> prepare_tasks(const TaskOptions& options);

/// All tasks under the built-in folder and --include-path; none if only YAML files are asked for.
base::Result<task::Index> open_index(const TaskOptions& options);

/// The tasks and groups that the options name, loaded but not built.
base::Result<task::Selection> select_tasks(const TaskOptions& options);

/// One task with its data; `remote` is where missing data sets come from. With `faults` it goes on
/// past documents that cannot be built.
base::Result<core::BuiltTask> build_task(const task::TaskConfig& config, const TaskOptions& options,
                                         core::Remote& remote,
                                         std::vector<task::Fault>* faults = nullptr);

/// Cheap checks of the model that need no load: does the file exist, is it a whole GGUF file?
base::Status check_model(const RunOptions& options);

struct OpenedBackend {
  std::unique_ptr<backend::Backend> backend;
  std::vector<core::Warning> warnings;  ///< about this machine
};

/// Loads the model.
base::Result<OpenedBackend> open_backend(const RunOptions& options);

}  // namespace tare::cli
