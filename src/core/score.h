#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/value.h"

namespace tare::core {

/// Resamples behind a bootstrapped standard error: lm-eval's default.
inline constexpr std::size_t kBootstrapIterations = 100000;

/// A metric over all documents of a task that have a score. `standard_error` is empty where lm-eval
/// says "N/A"; `value` is NaN where the metric is not defined.
struct Estimate {
  std::string metric;
  std::string filter = "none";
  double value = 0;
  std::optional<double> standard_error;
  bool higher_is_better = true;
  std::size_t documents = 0;  ///< that have a value of this metric
  /// `value` on the scale on which 1 is the best and 0 the worst, if the task names the metric's
  /// ideal.
  std::optional<double> calibrated = std::nullopt;
  std::string failure = {};  ///< why `value` is NaN, where aggregating failed
};

/// What one document got: metric name to raw value, in the order in which lm-eval lists them.
/// Empty where a request of it failed.
struct DocumentScore {
  std::vector<std::pair<std::string, base::Value>> metrics;
  bool failed = false;
  std::string failure = {};  ///< why, where the answers are there and scoring them failed
};

/// Something that a reader of a score must know, with the next step.
struct Warning {
  std::string code;  ///< stable, e.g. "truncated-context"
  std::string text;
  std::size_t count = 1;
};

/// What one filter pipeline made of the responses.
struct FilterScore {
  std::string filter = "none";
  std::vector<base::Value> responses;    ///< filtered, one a request
  std::vector<DocumentScore> documents;  ///< in the order of BuiltTask::documents
};

struct TaskScore {
  std::vector<FilterScore> filters;  ///< in the order of BuiltTask::filters
  std::vector<Estimate> estimates;   ///< filter by filter
  std::vector<Warning> warnings;
  std::size_t failed_documents = 0;
};

}  // namespace tare::core
