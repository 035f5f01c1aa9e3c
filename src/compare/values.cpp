#include "compare/values.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/classification.h"

namespace tare::compare {
namespace {

using base::Value;

std::optional<double> number_of(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  return value.is_number() ? std::optional(value.as_number()) : std::nullopt;
}

/// The loss of one document: the true class and the classes' probabilities.
std::optional<double> brier_loss(const Value& value) {
  if (!value.is_list() || value.items().size() != 2 || !value.items()[0].is_int() ||
      !value.items()[1].is_list())
    return std::nullopt;
  stats::ClassProbabilities one{.gold = value.items()[0].as_int(), .probabilities = {}};
  for (const Value& probability : value.items()[1].items()) {
    const auto number = number_of(probability);
    if (!number) return std::nullopt;
    one.probabilities.push_back(*number);
  }
  return stats::brier_score({&one, 1});
}

bool is_weighted(const std::string& metric) {
  return metric == "word_perplexity" || metric == "byte_perplexity" || metric == "bits_per_byte";
}

bool is_verdict(double value) {
  return value == 0 || value == 1;
}

struct Sums {
  double value = 0, weight = 0;
};

Sums sums_of(const std::vector<Amount>& amounts) {
  Sums sums;
  for (const Amount& amount : amounts) {
    sums.value += amount.value;
    sums.weight += amount.weight;
  }
  return sums;
}

}  // namespace

std::optional<Amount> amount_of(const Value& value, const std::string& metric) {
  if (is_weighted(metric)) {
    if (!value.is_sequence() || value.items().size() != 2) return std::nullopt;
    const auto sum = number_of(value.items()[0]), weight = number_of(value.items()[1]);
    return sum && weight && *weight > 0 ? std::optional(Amount{*sum, *weight}) : std::nullopt;
  }
  const auto number = metric == "brier_score" ? brier_loss(value) : number_of(value);
  return number ? std::optional(Amount{*number, 1}) : std::nullopt;
}

Kind kind_of(const Series& series) {
  bool verdicts = true;
  for (const auto* values : {&series.all_first, &series.all_second})
    for (const Value& value : *values) {
      const auto amount = amount_of(value, series.metric);
      if (!amount) return Kind::other;
      verdicts = verdicts && (is_verdict(amount->value) || std::isnan(amount->value));
    }
  if (series.metric == "bits_per_byte") return Kind::bits;
  if (is_weighted(series.metric) || series.metric == "perplexity") return Kind::perplexity;
  return verdicts ? Kind::verdicts : Kind::values;
}

double value_over(const std::vector<Amount>& amounts, Kind kind) {
  const Sums sums = sums_of(amounts);
  const double mean = sums.value / sums.weight;
  if (kind == Kind::perplexity) return std::exp(-mean);
  return kind == Kind::bits ? -mean / std::numbers::ln2 : mean;
}

std::vector<double> influences(const std::vector<Amount>& amounts, Kind kind) {
  const Sums sums = sums_of(amounts);
  const double mean = sums.value / sums.weight;
  double slope = 1;
  if (kind == Kind::perplexity) slope = -std::exp(-mean);
  if (kind == Kind::bits) slope = -1 / std::numbers::ln2;
  std::vector<double> found;
  found.reserve(amounts.size());
  for (const Amount& amount : amounts)
    found.push_back(slope * (amount.value - mean * amount.weight) / sums.weight);
  return found;
}

}  // namespace tare::compare
