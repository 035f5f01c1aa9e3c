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

namespace {

/// The task's data, or the first other place of it that this machine has if it has not that.
data::DatasetSpec data_of(const task::TaskConfig& config, const task::Benchmark& benchmark,
                          const data::Sources& sources) {
  data::DatasetSpec own{config.dataset_path, config.dataset_name, config.dataset_kwargs};
  if (data::is_here(own, sources)) return own;
  for (const task::DataPlace& place : benchmark.other_data) {
    data::DatasetSpec other{place.path, place.name, place.arguments};
    if (data::is_here(other, sources)) return other;
  }
  return own;
}

/// The rows that tell which part of the benchmark a document belongs to.
base::Status add_subtask_rows(const data::DatasetSpec& spec, const task::Benchmark& benchmark,
                              const data::Sources& sources, core::Dataset& dataset) {
  if (!benchmark.subtask_source) return {};
  const task::SubtaskSource& from = *benchmark.subtask_source;
  TARE_TRY(core::Dataset rows,
           data::open_dataset({spec.path, from.name, {}}, sources, {from.split}));
  for (core::SourceFile& file : rows.files) dataset.files.push_back(std::move(file));
  dataset.splits[task::kSubtaskSplit] = std::move(rows.splits[from.split]);
  return {};
}

Result<core::Dataset> read_data(const task::TaskConfig& config, const TaskOptions& options,
                                core::Remote& remote) {
  if (!config.custom_dataset.is_none())
    return task::custom_dataset(config, options.build.functions);
  const data::Sources sources{options.datasets, {".", config.file.parent_path()}, &remote};
  TARE_TRY(const task::Benchmark benchmark, task::benchmark_of(config));
  const data::DatasetSpec spec = data_of(config, benchmark, sources);
  TARE_TRY(core::Dataset dataset,
           data::open_dataset(spec, sources, task::splits_needed(config, options.build)));
  TARE_CHECK(add_subtask_rows(spec, benchmark, sources, dataset));
  return dataset;
}

}  // namespace

Result<core::BuiltTask> build_task(const task::TaskConfig& config, const TaskOptions& options,
                                   core::Remote& remote, std::vector<task::Fault>* faults) {
  TARE_CHECK(task::check_supported(config, options.build));
  const auto dataset = read_data(config, options, remote);
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
