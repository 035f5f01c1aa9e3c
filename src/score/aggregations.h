#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/value.h"
#include "score/metrics.h"
#include "stats/classification.h"

/// The values of all documents to one number (lm-eval 0.4.13, api/metrics.py).
namespace tare::score {

enum class StandardError {
  none,       ///< lm-eval gives none
  of_mean,    ///< sample deviation over √n
  bootstrap,  ///< core::kBootstrapIterations resamples
};

struct Aggregation {
  using OfNumbers = double (*)(std::span<const double>);
  using OfLabels = double (*)(std::span<const stats::Classified>);

  std::string_view name;
  std::variant<OfNumbers, OfLabels> function;  ///< NaN where it is not defined
  StandardError standard_error;
  [[nodiscard]] ValueKind takes() const;
};

std::span<const Aggregation> aggregations();

/// Null if there is none.
const Aggregation* find_aggregation(std::string_view name);

struct Aggregated {
  double value = 0;  ///< NaN for no values and where the aggregation is not defined
  std::optional<double> standard_error;
};

/// `values` are of the kind that the aggregation takes.
Aggregated aggregate(const Aggregation& aggregation, std::span<const base::Value> values);

}  // namespace tare::score
