#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/pairing.h"
#include "stats/intervals.h"
#include "stats/paired.h"
#include "stats/paired_intervals.h"

namespace tare::compare {

/// What kind of number a metric is over its documents.
enum class Kind {
  verdicts,    ///< the share of documents that are right
  values,      ///< the mean of numbers
  perplexity,  ///< exp(−Σ log-likelihoods / Σ weights): lower is better
  bits,        ///< the same in bits, without exp
  other,       ///< a function of all documents together: not compared
};

/// "verdicts", "values", "perplexity", "bits", "other".
std::string_view kind_name(Kind kind);

/// A score of a run over the documents that both runs have a value of.
struct Score {
  double value = 0;
  std::optional<stats::Interval> interval;  ///< Wilson's of verdicts, else by Student's t
};

/// A metric of a task: the second run against the first.
struct Measured {
  std::string task, metric, filter;
  bool higher_is_better = true;
  Kind kind = Kind::other;
  std::string not_compared;   ///< why; then only the counts below are filled
  std::size_t items = 0;      ///< with a value on both sides
  std::size_t missing = 0;    ///< without one on any side
  std::size_t undefined = 0;  ///< of which a value is NaN or infinite; they count as missing
  std::vector<std::pair<std::string, std::size_t>> failures;  ///< why they are missing
  std::optional<double> reported_first, reported_second;      ///< over all documents of a run
  Score first, second;
  double error = 0;                         ///< standard error of the difference
  std::optional<stats::Interval> interval;  ///< of the difference
  std::optional<double> ratio;              ///< second over first, of perplexities
  std::optional<stats::Interval> ratio_interval;
  std::string test;                   ///< "McNemar", "sign flips"
  std::optional<double> p, adjusted;  ///< `adjusted` by Holm over all tests of a comparison
  std::optional<double> unpaired_p;   ///< of lm-eval's test, which takes the items for others
  std::optional<stats::PairedCounts> verdicts;  ///< of verdicts
  std::optional<double> kappa;
  std::optional<stats::Interval> kappa_interval;
  std::size_t other_wrong = 0;  ///< of verdicts: one wrong answer became another one
  /// See detectable_of; measure() leaves it out, since it does not know of the other tests.
  std::optional<double> detectable;
  std::vector<std::int64_t> worse, improved;  ///< documents at which the second run is

  [[nodiscard]] double difference() const { return second.value - first.value; }
  [[nodiscard]] bool significant(double alpha) const { return adjusted && *adjusted < alpha; }
  [[nodiscard]] bool better() const { return (difference() > 0) == higher_is_better; }
};

struct MeasureOptions {
  double level = 0.95;                ///< of intervals
  std::size_t permutations = 10'000;  ///< where a test draws signs
  std::int64_t seed = 0;
};

Measured measure(const Series& series, const MeasureOptions& options = {});

/// The interval of the difference at another level; none where there is no error.
std::optional<stats::Interval> interval_at(const Measured& measured, double level);

/// The least difference that the test finds in 4 of 5 comparisons like this one, as one of `tests`
/// by Holm's first step: p < (1 − level)/tests. Of verdicts by the exact test, with as many changed
/// documents as there are here, or as the difference takes; else by the error of the difference.
/// None where none is found: of too few documents, or more than 100 points; where nothing varies;
/// and of what is not compared.
std::optional<double> detectable_of(const Measured& measured, std::size_t tests,
                                    const MeasureOptions& options = {});

}  // namespace tare::compare
