#include "cli/budget.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "backend/llama/model_shape.h"
#include "cli/option_table.h"
#include "cli/speed_memory.h"
#include "stats/power.h"

namespace tare::cli {
namespace {

using base::Result;
using base::Status;

constexpr stats::PowerOptions kPower{};
/// Where a share of right answers varies most.
constexpr double kScore = 0.5;

/// Of a difference between two verdicts on the same item: they differ on that share of items, which
/// is no less than the difference itself.
double paired_variance(double discordance, double difference = 0) {
  return std::max(discordance, difference);
}

/// Of a verdict alone.
double verdict_variance() {
  return kScore * (1 - kScore);
}

store::PlannedReach reach_of(const core::BuiltTask& task, double discordance) {
  store::PlannedReach reach{.items = task.documents.size(), .paired = {}, .unpaired = {}};
  if (task.output_type == core::OutputType::loglikelihood_rolling) return reach;
  reach.paired = stats::detectable_difference(paired_variance(discordance), reach.items, kPower);
  reach.unpaired = stats::detectable_difference(2 * verdict_variance(), reach.items, kPower);
  return reach;
}

store::PlannedItems items_for(double difference, double discordance) {
  const stats::ScoreVariance paired{.between_items = paired_variance(discordance, difference)};
  const stats::ScoreVariance unpaired{.first = verdict_variance(), .second = verdict_variance()};
  return {difference, stats::items_needed(difference, paired, kPower),
          stats::items_needed(difference, unpaired, kPower)};
}

store::PlannedSensitivity sensitivity_of(const Planned& planned, const BudgetOptions& options) {
  store::PlannedSensitivity sensitivity{.alpha = kPower.alpha,
                                        .power = kPower.power,
                                        .discordance = options.discordance,
                                        .score = kScore,
                                        .tasks = {},
                                        .needed = {}};
  for (const core::BuiltTask& task : planned.tasks)
    sensitivity.tasks.push_back(reach_of(task, options.discordance));
  for (const double difference : options.differences)
    sensitivity.needed.push_back(items_for(difference, options.discordance));
  return sensitivity;
}

Status check_share(const char* option, double value) {
  if (value > 0 && value <= 1) return {};
  return base::usage_error(
      fmt::format("{} {}: wanted a share above 0 and at most 1, such as 0.01", option, value));
}

void add_costs(store::PlannedBudget& budget, const Planned& planned, const RunOptions& run) {
  const Result<core::ModelShape> shape = shape_of(run.model);
  if (!shape) budget.flops_unknown = shape.error().text;
  run::Speeds speeds = speed_memory().recall(speed_key(run));
  if (budget.watts)
    speeds.watts = budget.watts->watts;
  else if (speeds.watts)
    budget.watts = {*speeds.watts, true};
  const plan::Plan& plan = planned.plan;
  plan::Work all;
  for (const plan::Work& work : plan::work_of(plan, planned.tasks, plan.order, plan.generations)) {
    budget.tasks.push_back(cost_of(work, shape, speeds));
    all += work;
  }
  budget.total = cost_of(all, shape, speeds);
  budget.at_most = all.answers > 0;
}

}  // namespace

void declare_budget_options(CLI::App& app, BudgetOptions& options) {
  CLI::Option* budget =
      app.add_flag("--budget", options.wanted,
                   "print floating-point operations, time, energy and what the items can tell");
  app.add_option("--watts", options.watts, "what the machine draws while it asks a model")
      ->type_name(kReal)
      ->needs(budget);
  app.add_option("--detect", options.differences,
                 "differences between two models that should be found (0.01,0.02,0.05)")
      ->type_name(kReal)
      ->delimiter(',')
      ->needs(budget);
  app.add_option("--discordance", options.discordance,
                 "share of items that one of two models gets right and the other wrong (0.1)")
      ->type_name(kReal)
      ->needs(budget);
}

Status check_budget_options(const BudgetOptions& options) {
  TARE_CHECK(check_share("--discordance", options.discordance));
  for (const double difference : options.differences)
    TARE_CHECK(check_share("--detect", difference));
  if (options.watts && !(*options.watts > 0))
    return base::usage_error(
        fmt::format("--watts {}: wanted a number above 0, such as 65", *options.watts));
  return {};
}

core::Cost cost_of(const plan::Work& work, const Result<core::ModelShape>& shape,
                   const run::Speeds& speeds) {
  const run::Progress progress{.scored_total = work.scored,
                               .prompts_total = work.prompts,
                               .answers_total = work.answers,
                               .generated_most = work.new_tokens};
  core::Cost cost;
  cost.tokens = work.tokens();
  if (shape) cost.flops = plan::flops(work, *shape);
  cost.seconds = run::expected_seconds(progress, speeds);
  if (cost.seconds && speeds.watts) cost.joules = *cost.seconds * *speeds.watts;
  return cost;
}

Result<core::ModelShape> shape_of(const ModelSpec& model) {
  if (model.scheme == "gguf") return backend::llama::read_shape(model.name);
  if (model.scheme.empty()) return base::usage_error("no model is named; add --model gguf:PATH");
  return base::input_error(
      fmt::format("model {}: the shape of a model is read from GGUF files only", model.text));
}

store::PlannedBudget planned_budget(const Planned& planned, const RunOptions& run,
                                    const BudgetOptions& options) {
  store::PlannedBudget budget;
  for (const core::BuiltTask& task : planned.tasks) budget.names.push_back(task.name);
  if (options.watts) budget.watts = {*options.watts, false};
  if (planned.tokens && planned.token_ids) {
    add_costs(budget, planned, run);
  } else {
    budget.tasks.resize(planned.tasks.size());
    const Result<core::ModelShape> shape = shape_of(run.model);
    if (!shape) budget.flops_unknown = shape.error().text;
  }
  budget.sensitivity = sensitivity_of(planned, options);
  return budget;
}

}  // namespace tare::cli
