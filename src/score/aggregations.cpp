#include "score/aggregations.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "core/score.h"
#include "stats/bootstrap.h"
#include "stats/estimates.h"

namespace tare::score {
namespace {

using base::Value;
using stats::Classified;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double f1(std::span<const Classified> items) {
  return stats::is_binary(items) ? stats::binary_f1(items) : kUndefined;
}

constexpr Aggregation::OfLabels kMatthews = stats::matthews_correlation;

// name, function, standard error
constexpr std::array kAggregations = {
    Aggregation{"mean", stats::mean, StandardError::of_mean},
    Aggregation{"nanmean", stats::nan_mean, StandardError::bootstrap},
    Aggregation{"median", stats::median, StandardError::bootstrap},
    Aggregation{"perplexity", stats::perplexity, StandardError::bootstrap},
    Aggregation{"f1", f1, StandardError::bootstrap},
    Aggregation{"matthews_corrcoef", kMatthews, StandardError::bootstrap},
};

std::vector<double> read(std::span<const Value> values, Aggregation::OfNumbers) {
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const Value& value : values) numbers.push_back(value.as_number());
  return numbers;
}

std::vector<Classified> read(std::span<const Value> values, Aggregation::OfLabels) {
  std::vector<Classified> items;
  items.reserve(values.size());
  for (const Value& value : values)
    items.push_back({value.items()[0].as_int(), value.items()[1].as_int()});
  return items;
}

template <class T>
std::optional<double> standard_error(const Aggregation& aggregation, const std::vector<T>& x,
                                     double (*function)(std::span<const T>)) {
  switch (aggregation.standard_error) {
    case StandardError::none:
      return std::nullopt;
    case StandardError::of_mean:
      if constexpr (std::is_same_v<T, double>) return stats::mean_stderr(x);
      return std::nullopt;
    case StandardError::bootstrap:
      return stats::bootstrap_stderr(x, function, core::kBootstrapIterations);
  }
  return std::nullopt;
}

}  // namespace

ValueKind Aggregation::takes() const {
  return std::holds_alternative<OfNumbers>(function) ? ValueKind::number : ValueKind::labels;
}

std::span<const Aggregation> aggregations() {
  return kAggregations;
}

const Aggregation* find_aggregation(std::string_view name) {
  const auto found =
      std::find_if(kAggregations.begin(), kAggregations.end(),
                   [&](const Aggregation& aggregation) { return aggregation.name == name; });
  return found == kAggregations.end() ? nullptr : &*found;
}

Aggregated aggregate(const Aggregation& aggregation, std::span<const Value> values) {
  if (values.empty()) return {kUndefined, std::nullopt};
  return std::visit(
      [&](auto function) -> Aggregated {
        const auto items = read(values, function);
        return {function(items), standard_error(aggregation, items, function)};
      },
      aggregation.function);
}

}  // namespace tare::score
