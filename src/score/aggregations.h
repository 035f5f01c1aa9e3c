#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "base/value.h"
#include "score/metrics.h"

/// The values of all documents to one number (lm-eval 0.4.13, api/metrics.py).
namespace tare::score {

struct Aggregated {
  double value = 0;                      ///< NaN for no values and where it is not defined
  std::optional<double> standard_error;  ///< empty where lm-eval gives none
};

struct Aggregation {
  std::string_view name;
  ValueKind takes;
  /// `values` are not empty; `resamples` are those behind a bootstrapped standard error. Error: a
  /// value that is not of the kind.
  base::Result<Aggregated> (*run)(std::span<const base::Value> values, std::size_t resamples);
};

std::span<const Aggregation> aggregations();

/// Null if there is none.
const Aggregation* find_aggregation(std::string_view name);

/// Whether values of kind `gives` can be aggregated by it.
bool fits(const Aggregation& aggregation, ValueKind gives);

/// lm-eval's number of resamples for a metric: fewer for those over whole texts.
std::size_t resamples_for(std::string_view metric);

}  // namespace tare::score
