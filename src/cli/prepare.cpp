#include "cli/prepare.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/hub_settings.h"
#include "cli/install_paths.h"
#include "data/dataset.h"
#include "hub/hub.h"
#include "score/score.h"

namespace tare::cli {
namespace {

using base::Result;

/// Tasks given as YAML files alone need no index, and looking through thousands of files takes
/// time.
bool needs_index(const std::vector<std::string>& words) {
  return !std::all_of(words.begin(), words.end(),
                      [](const std::string& word) { return word.ends_with(".yaml"); });
}

}  // namespace

Result<task::Index> open_index(const TaskOptions& options) {
  if (!needs_index(options.tasks)) return task::Index{};
  return task::Index::scan(task_roots(options.include_paths));
}

Result<task::Selection> select_tasks(const TaskOptions& options) {
  TARE_TRY(const task::Index index, open_index(options));
  return index.select(options.tasks);
}

Result<core::BuiltTask> build_task(const task::TaskConfig& config, const TaskOptions& options,
                                   core::Remote& remote, std::vector<task::Fault>* faults) {
  const data::DatasetSpec spec{config.dataset_path, config.dataset_name, config.dataset_kwargs};
  const data::Sources sources{options.datasets, {".", config.file.parent_path()}, &remote};
  TARE_CHECK(task::check_supported(config, options.build));
  auto dataset = config.custom_dataset.is_none()
                     ? data::open_dataset(spec, sources, task::splits_needed(config, options.build))
                     : task::custom_dataset(config, options.build.functions);
  if (!dataset) return base::in_context("task " + config.task, dataset.error());
  TARE_TRY(core::BuiltTask built, task::build(config, *dataset, options.build, faults));
  TARE_CHECK(check_thinking(options.chat, built));
  TARE_CHECK(score::check_metrics(built, options.build.functions));
  return built;
}

namespace {

/// --samples for a task that does not run would be ignored without a word.
base::Status check_samples(const TaskOptions& options,
                           const std::vector<task::TaskConfig>& configs) {
  for (const auto& entry : options.build.samples)
    if (std::ranges::count(configs, entry.first, &task::TaskConfig::task) == 0)
      return base::usage_error(
          fmt::format("--samples: {} is none of the tasks that --tasks names", entry.first));
  return {};
}

}  // namespace

Result<PreparedTasks> prepare_tasks(const TaskOptions& options) {
  TARE_TRY(task::Selection selection, select_tasks(options));
  const std::vector<task::TaskConfig>& configs = selection.tasks;
  TARE_CHECK(check_samples(options, configs));
  PreparedTasks prepared;
  hub::Hub hub(hub_settings(options.offline, options.quiet));
  TARE_TRY(prepared.groups, plan_groups(std::move(selection.groups)));
  prepared.warnings = options.chat.warnings;
  for (const task::TaskConfig& config : configs) {
    TARE_TRY(core::BuiltTask built, build_task(config, options, hub));
    for (core::Warning& warning : task::warnings(config, options.build))
      prepared.warnings.push_back(std::move(warning));
    for (const core::Warning& warning : built.warnings) prepared.warnings.push_back(warning);
    prepared.tasks.push_back(std::move(built));
  }
  return prepared;
}

}  // namespace tare::cli
