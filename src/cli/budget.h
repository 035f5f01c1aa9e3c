#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/planned.h"
#include "cli/run_options.h"
#include "core/execution.h"
#include "core/model_shape.h"
#include "plan/work.h"
#include "run/forecast.h"
#include "store/planned_budget.h"

namespace CLI {
class App;
}

namespace tare::cli {

/// The options as they are given, so that what is wrong with one can be told in its own words.
struct BudgetWords {
  bool wanted = false;
  std::optional<std::string> watts, discordance;
  std::optional<std::vector<std::string>> differences;
};

/// What `tare plan` is asked about costs.
struct BudgetOptions {
  bool wanted = false;
  std::optional<double> watts;                        ///< none: as measured in earlier runs
  std::vector<double> differences{0.01, 0.02, 0.05};  ///< between two models, that should be found
  double discordance = 0.1;  ///< share of items about which they get different verdicts
};

void declare_budget_options(CLI::App& app, BudgetWords& words);
/// Error: a word that is no such number.
base::Result<BudgetOptions> budget_options(const BudgetWords& words);

/// What the work takes of a model of this shape at these speeds; unknown where one of them is.
core::Cost cost_of(const plan::Work& work, const base::Result<core::ModelShape>& shape,
                   const run::Speeds& speeds);

/// The shape of a GGUF file. Error: why the floating-point operations of a run are not known.
base::Result<core::ModelShape> shape_of(const ModelSpec& model);

/// Of each task and of all, with what their items can tell.
store::PlannedBudget planned_budget(const Planned& planned, const RunOptions& run,
                                    const BudgetOptions& options);

/// The same as tables, with what they rest on.
std::string budget_text(const store::PlannedBudget& budget);

/// What a finished run was expected to take, and took.
std::string budget_text(const core::Budget& budget);

}  // namespace tare::cli
