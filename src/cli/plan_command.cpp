#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/json.h"
#include "cli/budget.h"
#include "cli/command.h"
#include "cli/expected_time.h"
#include "cli/functions.h"
#include "cli/option_table.h"
#include "cli/parity_sides.h"
#include "cli/parity_text.h"
#include "cli/planned.h"
#include "cli/prepare.h"
#include "cli/prompts.h"
#include "cli/run_options.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "store/planned.h"

namespace tare::cli {
namespace {

using base::Result;

constexpr std::string_view kModelFlag = "--model";

/// What is printed beside the counts.
struct Show {
  std::size_t prompts = 0;  ///< documents of each task
  bool explain = false;
  std::string against;  ///< another model, whose prompts are compared
  BudgetOptions budget;
};

base::Value planned_document(const Planned& planned, const RunOptions& options, const Show& show) {
  store::PlannedCosts costs{
      planned.tokens, {}, expected_time(planned.plan, planned.tasks, options)};
  if (show.budget.wanted) costs.budget = planned_budget(planned, options, show.budget);
  if (!planned.token_ids) costs.tokens.reset();
  if (planned.memory && *planned.memory) costs.memory = **planned.memory;
  return store::plan_document(options.model.text, planned.tasks, costs, show.prompts);
}

/// From options to what they would ask.
Result<Planned> make_plan(RunOptions& options) {
  TARE_CHECK(open_chat(options.model, options.chat, options.build));
  TARE_CHECK(check_model(options));
  TARE_TRY(const worker::OpenFunctions functions, open_functions(options));
  TARE_TRY(PreparedTasks prepared, prepare_tasks(options));
  for (const core::Warning& warning : prepared.warnings) tell("tare: warning: {}\n", warning.text);
  TARE_TRY(Planned planned, plan_tasks(std::move(prepared.tasks), options));
  for (const core::Warning& warning : planned.warnings) tell("tare: warning: {}\n", warning.text);
  return planned;
}

/// The model of --against; its errors name that option.
Result<ModelSpec> other_model(const std::string& text) {
  std::error_code unknown;
  if (text.find(':') == std::string::npos && std::filesystem::is_directory(text, unknown))
    return base::usage_error(fmt::format(
        "--against {0}: is a folder; wanted a model, spelled as --model is; two finished runs are "
        "compared by tare show RUN --against {0}",
        text));
  auto model = parse_model_spec(text);
  if (!model && model.error().text.starts_with(kModelFlag))
    model.error().text.replace(0, kModelFlag.size(), "--against");
  return model;
}

Result<ExitCode> compare(RunOptions options, const std::string& other) {
  if (options.model.scheme.empty())
    return base::usage_error("--against: no model is named to compare with; add --model");
  RunOptions against = options;
  TARE_TRY(ModelSpec model, other_model(other));
  use_model(against, std::move(model));
  TARE_TRY(const Planned left, make_plan(options));
  TARE_TRY(const Planned right, make_plan(against));
  return print_parity(planned_side(left, options), planned_side(right, against), options.json);
}

Result<ExitCode> plan(RunOptions options, const Show& show) {
  if (!show.against.empty()) return compare(std::move(options), show.against);
  TARE_TRY(const Planned planned, make_plan(options));
  if (options.json) {
    print_text(base::json::dump(planned_document(planned, options, show), {.indent = 2}) + "\n");
  } else {
    for (const core::BuiltTask& task : planned.tasks) print_text(prompts_text(task, show.prompts));
    if (show.explain) print_text(explain_text(planned, options));
    print_fitted(planned_text(planned, options));
    if (show.budget.wanted)
      print_fitted(budget_text(planned_budget(planned, options, show.budget)));
  }
  if (planned.memory && !*planned.memory) return tl::unexpected(planned.memory->error());
  return kDone;
}

}  // namespace

ExitCode plan_command(std::vector<std::string> args) {
  CLI::App app("Tells what `tare run` with the same options would do. No weights are loaded.",
               "tare plan");
  Show show;
  app.add_option("--show-prompts", show.prompts,
                 "print the prompts of the first N documents of a task")
      ->type_name(kCount);
  app.add_flag("--explain", show.explain,
               "print the way of each task's first document from text to decodes");
  app.add_option("--against", show.against,
                 "compare the prompts with those for this model, e.g. hf:PATH")
      ->type_name(kModel);
  BudgetWords budget;
  declare_budget_options(app, budget);
  auto options = parse_run_options(app, args, ModelNeed::optional);
  if (!options) return options.error();
  auto budget_asked = budget_options(budget);
  if (!budget_asked) return report(budget_asked.error());
  show.budget = std::move(*budget_asked);
  if (options->write_out) show.prompts = std::max<std::size_t>(show.prompts, 1);
  const auto code = plan(std::move(*options), show);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
