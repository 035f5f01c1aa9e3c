#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "stats/intervals.h"
#include "study/design.h"
#include "study/observations.h"

namespace tare::study {

/// A metric of a benchmark.
struct Measure {
  std::size_t benchmark = 0;
  std::string metric;
  bool pooled = false;  ///< a ratio of counts: there are no values of single items
  friend bool operator==(const Measure&, const Measure&) = default;
};

/// Finds what a model's backend measured in a mode.
class Grid {
 public:
  Grid(const Design& design, const Observations& observations);

  /// All metrics that any cell has, benchmark after benchmark.
  [[nodiscard]] const std::vector<Measure>& measures() const { return measures_; }
  /// The repetitions of a cell, in order.
  [[nodiscard]] std::vector<const Measured*> repetitions(std::size_t model, std::size_t backend,
                                                         const std::string& mode,
                                                         std::size_t benchmark) const;
  /// Of each repetition the calibrated values of all items, NaN where there is none; of a pooled
  /// measure one value.
  [[nodiscard]] std::vector<std::vector<double>> values(std::size_t model, std::size_t backend,
                                                        const std::string& mode,
                                                        const Measure& measure) const;
  /// S(m,b,d,c): the mean over all items of the mean over repetitions. (Source 000 §3.6, in words;
  /// the mean over repetitions first is ours.)
  [[nodiscard]] std::optional<double> score(std::size_t model, std::size_t backend,
                                            const std::string& mode, const Measure& measure) const;

 private:
  using Key = std::tuple<std::size_t, std::size_t, std::string, std::size_t>;
  const Design& design_;
  std::map<Key, std::vector<const Measured*>> cells_;
  std::vector<Measure> measures_;
};

/// A backend against the baseline: one model, mode and metric.
struct Comparison {
  std::size_t model = 0, backend = 0;
  std::string mode;
  Measure measure;
  std::size_t items = 0;  ///< that both sides have; 0 for pooled measures
  /// Items that one side alone has; of pooled measures values that are not defined.
  std::size_t missing = 0;
  std::size_t repetitions = 0;
  bool verdicts = false;  ///< each answer is right or wrong
  double score = 0, baseline = 0;
  /// Of verdicts the share that changed (of the majority of the repetitions), else the mean |x −
  /// y|.
  std::optional<double> disagreement;
  std::optional<bool> severe;
  /// Share of items with another answer, right or wrong; where each has one that is a text.
  std::optional<double> other_answers;
  std::optional<double> kappa, overlap;  ///< of verdicts
  std::optional<stats::Interval> kappa_interval;
  std::string test;                   ///< "" for pooled measures
  std::optional<double> p, adjusted;  ///< `adjusted` by Holm over the backend's and mode's family
  std::optional<double> wilcoxon_p;
  std::optional<double> effect;             ///< |r|
  std::optional<stats::Interval> interval;  ///< of the divergence
  std::optional<double> detectable;  ///< the least divergence that is found in 4 of 5 studies
  std::optional<double> floor, baseline_floor;  ///< between repetitions of one side
  std::vector<std::size_t> changed;             ///< items with another verdict or value

  [[nodiscard]] double divergence() const { return score - baseline; }
  [[nodiscard]] bool significant(double alpha) const { return adjusted && *adjusted < alpha; }
};

/// Every backend but the baseline against it, wherever both have results. Tests, in the order of
/// models, backends, modes and measures; p adjusted within each backend and mode.
std::vector<Comparison> compare(const Design& design, const Observations& observations);

}  // namespace tare::study
