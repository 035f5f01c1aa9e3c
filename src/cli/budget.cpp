#include "cli/budget.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "backend/llama/model_shape.h"
#include "base/number.h"
#include "base/unicode.h"
#include "cli/option_table.h"
#include "cli/speed_memory.h"
#include "stats/power.h"

namespace tare::cli {
namespace {

using base::Result;

constexpr stats::PowerOptions kPower{};
/// Where a share of right answers varies most.
constexpr double kScore = 0.5;

/// Of a verdict alone.
constexpr double kVerdictVariance = kScore * (1 - kScore);

/// The normal formula tells more than there is of few items.
std::optional<double> possible(std::optional<double> difference) {
  return difference && *difference <= 1 ? difference : std::nullopt;
}

store::PlannedReach reach_of(const core::BuiltTask& task, double discordance) {
  store::PlannedReach reach{.items = task.documents.size(), .paired = {}, .unpaired = {}};
  reach.verdicts = task.output_type != core::OutputType::loglikelihood_rolling;
  if (!reach.verdicts) return reach;
  reach.paired = stats::detectable_verdicts(discordance, reach.items, kPower);
  reach.unpaired =
      possible(stats::detectable_difference(2 * kVerdictVariance, reach.items, kPower));
  return reach;
}

std::optional<std::size_t> countable(std::size_t items) {
  return items < store::kMostPlannedItems ? std::optional(items) : std::nullopt;
}

store::PlannedItems items_for(double difference, double discordance) {
  const stats::ScoreVariance unpaired{.first = kVerdictVariance, .second = kVerdictVariance};
  return {difference, countable(stats::verdicts_needed(difference, discordance, kPower)),
          countable(stats::items_needed(difference, unpaired, kPower))};
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

/// How a word is told: one that is empty can be seen.
std::string shown(const std::string& word) {
  return word.empty() ? "''" : word;
}

Result<double> share_of(const char* option, const std::string& word) {
  const auto share = base::read_real(word);
  if (share && *share > 0 && *share <= 1) return *share;
  return base::usage_error(fmt::format("{} {}: wanted a share above 0 and at most 1, such as 0.01",
                                       option, shown(word)));
}

/// "0.01,0.02", or the same in several words.
Result<std::vector<double>> differences_of(const std::vector<std::string>& words) {
  std::vector<double> differences;
  for (const std::string& word : words)
    for (const std::string& part : CLI::detail::split(word, ',')) {
      const std::string stripped(base::unicode::strip(part));
      TARE_TRY(const double difference, share_of("--detect", stripped.empty() ? word : stripped));
      differences.push_back(difference);
    }
  return differences;
}

Result<double> watts_of(const std::string& word) {
  constexpr double kMostWatts = 1e9;
  const auto watts = base::read_real(word);
  if (watts && *watts > 0 && *watts <= kMostWatts) return *watts;
  return base::usage_error(fmt::format(
      "--watts {}: wanted a number above 0 and at most a billion, such as 65", shown(word)));
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

void declare_budget_options(CLI::App& app, BudgetWords& words) {
  CLI::Option* budget =
      app.add_flag("--budget", words.wanted,
                   "print floating-point operations, time, energy and what the items can tell");
  app.add_option_function<std::string>(
         "--watts", [&words](const std::string& word) { words.watts = word; },
         "what the machine draws while it asks a model")
      ->type_name(kReal)
      ->needs(budget);
  app.add_option_function<std::vector<std::string>>(
         "--detect", [&words](const std::vector<std::string>& all) { words.differences = all; },
         "differences between two models that should be found (0.01,0.02,0.05)")
      ->type_name(kReal)
      ->needs(budget);
  app.add_option_function<std::string>(
         "--discordance", [&words](const std::string& word) { words.discordance = word; },
         "share of items that one of two models gets right and the other wrong (0.1)")
      ->type_name(kReal)
      ->needs(budget);
}

Result<BudgetOptions> budget_options(const BudgetWords& words) {
  BudgetOptions options;
  options.wanted = words.wanted;
  if (words.discordance) {
    TARE_TRY(options.discordance, share_of("--discordance", *words.discordance));
  }
  if (words.differences) {
    TARE_TRY(options.differences, differences_of(*words.differences));
  }
  if (words.watts) {
    TARE_TRY(options.watts, watts_of(*words.watts));
  }
  return options;
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
