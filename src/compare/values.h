#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/measure.h"

namespace tare::compare {

/// What one document adds to a metric: a number, or a log-likelihood and its number of words or
/// bytes.
struct Amount {
  double value = 0;
  double weight = 1;
};

/// None where the metric has no number of its own for a document.
std::optional<Amount> amount_of(const base::Value& value, const std::string& metric);

/// What kind of metric this is, by its name and by all its values.
Kind kind_of(const Series& series);

/// The metric over these amounts, of which there is one at least.
double value_over(const std::vector<Amount>& amounts, Kind kind);

/// How far each amount moves the metric (see stats::influence_stderr).
std::vector<double> influences(const std::vector<Amount>& amounts, Kind kind);

}  // namespace tare::compare
