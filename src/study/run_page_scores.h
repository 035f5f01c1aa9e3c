#pragma once

#include <optional>
#include <vector>

#include "base/value.h"
#include "stats/intervals.h"
#include "study/run_page.h"

namespace tare::study {

/// What is known of the values behind a score.
struct Evidence {
  /// None where the run has none.
  const std::vector<store::SampledItem>* items = nullptr;
  bool whole = false;                    ///< the items are those that the score is of
  std::optional<std::size_t> documents;  ///< that have a score, as the results tell
};

/// An interval with the name of its method.
base::Value interval_value(const stats::Interval& interval, const char* method);

/// A score of a task with its interval: Wilson's where it is a share of items.
base::Value score_value(const core::Estimate& estimate, const Evidence& evidence);

/// The scores of the run's groups, whose items are those of their tasks.
base::Value group_scores(const ShownRun& run);

}  // namespace tare::study
