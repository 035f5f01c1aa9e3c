#pragma once

#include <optional>
#include <span>

#include "cli/energy_meter.h"
#include "cli/run_session.h"
#include "core/execution.h"
#include "run/execute.h"
#include "run/forecast.h"

namespace tare::cli {

/// Holds what asking a model takes against what was expected before the first question.
class BudgetWatch {
 public:
  /// `answers`: those that are there and are not asked for. `session` outlives this.
  BudgetWatch(const Session& session, const run::Answers& answers, const run::Speeds& speeds);
  /// To be called now and then while the model is asked.
  void sample() { meter_.sample(); }
  /// After the last answer. None: nothing was asked.
  [[nodiscard]] std::optional<core::Budget> finish(double seconds);
  /// What the processors drew, after finish(); none where that is not known.
  [[nodiscard]] std::optional<double> watts() const;

 private:
  const Session& session_;
  std::size_t before_ = 0;  ///< tokens that went through the model
  std::optional<core::Budget> budget_;
  EnergyMeter meter_;
};

}  // namespace tare::cli
