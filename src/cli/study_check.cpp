#include "cli/study_check.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

#include "cli/capability_check.h"
#include "cli/functions.h"
#include "cli/output_folder.h"
#include "cli/prepare.h"
#include "cli/refusals.h"
#include "cli/run_options.h"
#include "task/generation_mode.h"

namespace tare::cli {
namespace {

using base::Result;
using base::Status;

/// The cells of a model in a backend that lack results of what is asked now, one for each mode and
/// benchmark.
using Lane = std::vector<const PlannedCell*>;

std::vector<Lane> open_lanes(const StudyPlan& plan) {
  std::map<std::pair<std::size_t, std::size_t>, Lane> lanes;
  for (const PlannedCell& cell : plan.cells) {
    if (cell.finished && cell.change.empty()) continue;
    Lane& lane = lanes[{cell.cell.model, cell.cell.backend}];
    const bool seen = std::ranges::any_of(lane, [&](const PlannedCell* one) {
      return one->cell.mode == cell.cell.mode && one->cell.benchmark == cell.cell.benchmark;
    });
    if (!seen) lane.push_back(&cell);
  }
  std::vector<Lane> all;
  for (auto& [place, lane] : lanes) all.push_back(std::move(lane));
  return all;
}

Result<RunOptions> options_of(const PlannedCell& cell) {
  CLI::App app("", "tare run");
  TARE_TRY(auto options, read_run_options(app, cell.words, ModelNeed::required));
  if (!options) return base::usage_error("the words of its run ask for help");
  options->quiet = true;
  return std::move(*options);
}

/// The tasks as they are in the mode, as far as capabilities look at them.
std::vector<core::BuiltTask> in_mode(std::vector<core::BuiltTask> tasks, const std::string& name) {
  const task::GenerationMode* mode = task::find_generation_mode(name);
  if (mode == nullptr) return tasks;
  const base::Value* sample = mode->arguments.find("do_sample");
  for (core::BuiltTask& task : tasks) {
    task.generation.parameters = mode->parameters;
    task.generation.sample = sample != nullptr && sample->truthy();
  }
  return tasks;
}

class Check {
 public:
  explicit Check(const StudyPlan& plan) : plan_(plan) {}

  std::vector<std::string> all() {
    if (const auto status = OutputFolder::check_writable(plan_.design.output); !status)
      found_.push_back("output: " + status.error().text);
    for (const Lane& lane : open_lanes(plan_)) {
      const auto status = check_lane(lane);
      if (!status) tell_of(lane, status.error().text);
    }
    return std::move(found_);
  }

 private:
  /// One text for all models and backends of which it is true.
  void tell_of(const Lane& lane, const std::string& text) {
    if (!told_.insert(text).second) return;
    const study::Cell& cell = lane.front()->cell;
    found_.push_back(fmt::format("{}, {}: {}", plan_.design.models[cell.model].name,
                                 plan_.design.backends[cell.backend].name, text));
  }

  /// Error: what concerns all cells of the lane; what concerns single ones is told by itself.
  Status check_lane(const Lane& lane) {
    TARE_TRY(RunOptions options, options_of(*lane.front()));
    TARE_CHECK(check_before_tasks(options));
    TARE_TRY(const Abilities abilities, abilities_before_loading(options));
    for (const PlannedCell* cell : lane) {
      if (plan_.items[cell->cell.benchmark].tasks.empty()) continue;
      auto status = check_capabilities(
          in_mode(plan_.items[cell->cell.benchmark].tasks, cell->cell.mode), abilities, options);
      if (status && options.chat.apply) status = check_prompts(*cell, options);
      if (!status) tell_of(lane, status.error().text);
    }
    return {};
  }

  /// Prompts that the model's own template makes; once for each template.
  Status check_prompts(const PlannedCell& cell, const RunOptions& lane) {
    const std::string key =
        fmt::format("{}\n{}", cell.cell.benchmark,
                    lane.chat.source.is_string() ? lane.chat.source.as_string() : "");
    if (!rendered_.insert(key).second) return {};
    TARE_TRY(RunOptions options, options_of(cell));
    TARE_CHECK(check_before_tasks(options));
    TARE_TRY(const worker::OpenFunctions functions, open_functions(options));
    TARE_CHECK(prepare_tasks(options));
    return {};
  }

  const StudyPlan& plan_;
  std::vector<std::string> found_;
  std::set<std::string> told_, rendered_;
};

}  // namespace

std::vector<std::string> refusals_of(const StudyPlan& plan) {
  return Check(plan).all();
}

}  // namespace tare::cli
