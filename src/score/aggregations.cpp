#include "score/aggregations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "base/python.h"
#include "core/score.h"
#include "stats/bootstrap.h"
#include "stats/classification.h"
#include "stats/estimates.h"
#include "textscore/corpus.h"

namespace tare::score {
namespace {

using base::Result;
using base::Value;
using stats::Classified;
using stats::ClassProbabilities;
using stats::Weighted;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

base::Failure wrong_value(const Value& value, const char* wanted) {
  return base::input_error(fmt::format("found {} ({}), wanted {}", base::python::repr(value),
                                       value.type_name(), wanted));
}

bool is_pair(const Value& value) {
  return value.is_sequence() && value.items().size() == 2;
}

/// Python counts True and False as the integers 1 and 0.
std::optional<double> number(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? 1.0 : 0.0;
  if (value.is_number()) return value.as_number();
  return std::nullopt;
}

base::Status read(const Value& value, std::vector<double>& out) {
  const auto found = number(value);
  if (!found) return wrong_value(value, "a number");
  out.push_back(*found);
  return {};
}

base::Status read(const Value& value, std::vector<Classified>& out) {
  if (!is_pair(value)) return wrong_value(value, "(gold, predicted)");
  const auto gold = number(value.items()[0]);
  const auto predicted = number(value.items()[1]);
  if (!gold || !predicted) return wrong_value(value, "(gold, predicted) as whole numbers");
  out.push_back({static_cast<std::int64_t>(*gold), static_cast<std::int64_t>(*predicted)});
  return {};
}

base::Status read(const Value& value, std::vector<Weighted>& out) {
  if (!is_pair(value)) return wrong_value(value, "(value, weight)");
  const auto amount = number(value.items()[0]);
  const auto weight = number(value.items()[1]);
  if (!amount || !weight) return wrong_value(value, "(value, weight) as numbers");
  out.push_back({*amount, *weight});
  return {};
}

base::Status read(const Value& value, std::vector<ClassProbabilities>& out) {
  if (!is_pair(value) || !value.items()[0].is_int() || !value.items()[1].is_sequence())
    return wrong_value(value, "(gold, probabilities)");
  ClassProbabilities item{value.items()[0].as_int(), {}};
  for (const Value& probability : value.items()[1].items())
    TARE_CHECK(read(probability, item.probabilities));
  out.push_back(std::move(item));
  return {};
}

template <class T>
Result<std::vector<T>> read_all(std::span<const Value> values) {
  std::vector<T> items;
  items.reserve(values.size());
  for (const Value& value : values) TARE_CHECK(read(value, items));
  return items;
}

enum class Error { none, of_mean, bootstrap };

template <class T, double (*Function)(std::span<const T>), Error StandardError>
Result<Aggregated> run(std::span<const Value> values, std::size_t resamples) {
  TARE_TRY(const std::vector<T> items, read_all<T>(values));
  Aggregated aggregated{Function(items), std::nullopt};
  if constexpr (StandardError == Error::of_mean)
    aggregated.standard_error = stats::mean_stderr(items);
  if constexpr (StandardError == Error::bootstrap)
    aggregated.standard_error =
        stats::bootstrap_stderr(std::span<const T>(items), Function, resamples);
  return aggregated;
}

double f1(std::span<const Classified> items) {
  return stats::is_binary(items) ? stats::binary_f1(items) : kUndefined;
}

/// lm-eval's mark for "no metric asked for".
Result<Aggregated> bypass(std::span<const Value>, std::size_t) {
  return Aggregated{999, std::nullopt};
}

template <textscore::Corpus Kind>
Result<Aggregated> over_corpus(std::span<const Value> values, std::size_t resamples) {
  TARE_TRY(const textscore::CorpusScore score, textscore::corpus_score(Kind, values, resamples));
  return Aggregated{score.value, score.standard_error};
}

constexpr auto kNumber = ValueKind::number;
constexpr auto kLabels = ValueKind::labels;
constexpr auto kWeighted = ValueKind::weighted;

// name, what it takes, how it is computed
constexpr std::array kAggregations = {
    Aggregation{"mean", kNumber, run<double, stats::mean, Error::of_mean>},
    Aggregation{"nanmean", kNumber, run<double, stats::nan_mean, Error::bootstrap>},
    Aggregation{"median", kNumber, run<double, stats::median, Error::bootstrap>},
    Aggregation{"perplexity", kNumber, run<double, stats::perplexity, Error::bootstrap>},
    Aggregation{"f1", kLabels, run<Classified, f1, Error::bootstrap>},
    Aggregation{"matthews_corrcoef", kLabels,
                run<Classified, stats::matthews_correlation, Error::bootstrap>},
    Aggregation{"weighted_perplexity", kWeighted,
                run<Weighted, stats::weighted_perplexity, Error::none>},
    Aggregation{"bits_per_byte", kWeighted, run<Weighted, stats::bits_per_byte, Error::none>},
    Aggregation{"brier_score", ValueKind::probabilities,
                run<ClassProbabilities, stats::brier_score, Error::none>},
    Aggregation{"bleu", ValueKind::texts, over_corpus<textscore::Corpus::bleu>},
    Aggregation{"chrf", ValueKind::texts, over_corpus<textscore::Corpus::chrf>},
    Aggregation{"chrf++", ValueKind::texts, over_corpus<textscore::Corpus::chrf_plus_plus>},
    Aggregation{"ter", ValueKind::texts, over_corpus<textscore::Corpus::ter>},
    Aggregation{"bypass", ValueKind::nothing, bypass},
};

}  // namespace

std::span<const Aggregation> aggregations() {
  return kAggregations;
}

const Aggregation* find_aggregation(std::string_view name) {
  const auto found = std::ranges::find(kAggregations, name, &Aggregation::name);
  return found == kAggregations.end() ? nullptr : &*found;
}

bool fits(const Aggregation& aggregation, ValueKind gives) {
  return aggregation.takes == gives || aggregation.takes == ValueKind::nothing;
}

std::size_t resamples_for(std::string_view metric) {
  static constexpr std::array<std::string_view, 4> kSlow{"bleu", "chrf", "chrf++", "ter"};
  const bool slow = std::ranges::find(kSlow, metric) != kSlow.end();
  return slow ? std::min(core::kBootstrapIterations, textscore::kCorpusIterations)
              : core::kBootstrapIterations;
}

}  // namespace tare::score
