#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "core/execution.h"

namespace tare::store {

/// The least difference between two models' scores that so many items find.
struct PlannedReach {
  std::size_t items = 0;
  bool verdicts = true;                    ///< their scores are
  std::optional<double> paired, unpaired;  ///< none: not even one of 1, or they are no verdicts
};

/// Above this not all whole numbers can be told apart.
inline constexpr std::size_t kMostPlannedItems = std::size_t{1} << 53U;

/// The items that it takes to find a difference; none where they are more than that.
struct PlannedItems {
  double difference = 0;
  std::optional<std::size_t> paired, unpaired;
};

/// What comparisons of two models would find, and on which assumptions.
struct PlannedSensitivity {
  double alpha = 0, power = 0;
  double discordance = 0;  ///< share of items about which the two get different verdicts
  double score = 0;        ///< of both, where each answers items of its own
  std::vector<PlannedReach> tasks;
  std::vector<PlannedItems> needed;
};

/// What the machine draws while a model is asked.
struct PlannedWatts {
  double watts = 0;
  bool measured = false;  ///< by an earlier run; else given by the user
};

/// What a run would take of a machine, and what it could find.
struct PlannedBudget {
  std::vector<std::string> names;  ///< of the tasks
  std::vector<core::Cost> tasks;
  core::Cost total;
  bool at_most = false;       ///< answers may end before their greatest length
  std::string flops_unknown;  ///< why they are
  std::optional<PlannedWatts> watts;
  PlannedSensitivity sensitivity;
};

/// `budget` in the document of `tare plan --json` (docs/formats/plan.md).
base::Value planned_budget_value(const PlannedBudget& budget);

/// `budget` in execution.json, and the document of `tare show RUN --budget --json`; null of none.
base::Value budget_value(const std::optional<core::Budget>& budget);

/// The other way; none of null. What is no number is unknown.
std::optional<core::Budget> budget_of(const base::Value& value);

}  // namespace tare::store
