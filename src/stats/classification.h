#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Agreement of predicted with true labels, as scikit-learn 1.x computes it.
namespace tare::stats {

/// The true and the predicted label of one item.
struct Classified {
  std::int64_t gold = 0;
  std::int64_t predicted = 0;
};

/// Whether F1 of the positive class 1 is defined: no third label, and of two labels one is 1.
/// (sklearn.metrics.f1_score, average="binary", raises otherwise.)
bool is_binary(std::span<const Classified> items);

/// 2TP/(2TP+FP+FN) for the positive class 1; 0 if nothing is or is called positive.
double binary_f1(std::span<const Classified> items);

/// Matthews correlation for any number of classes; 0 if one side has a single label.
/// (sklearn.metrics.matthews_corrcoef; Gorodkin 2004, the R_K statistic.)
double matthews_correlation(std::span<const Classified> items);

/// The true class of one item and what a model gives each class.
struct ClassProbabilities {
  std::int64_t gold = 0;
  std::vector<double> probabilities;
};

/// The mean over items of Σ_c (p_c − [c = gold])², 0 to 2 for probabilities. NaN where it is not
/// defined: for no items, unequal numbers of classes, or a true class that does not exist. A
/// negative class counts from the end. (lm-eval 0.4.13, api/metrics.py brier_score; Brier 1950.
/// Summed left to right, where numpy sums pairwise: the last digits may differ.)
double brier_score(std::span<const ClassProbabilities> items);

/// One of the answers to a question that counts as right only if all its answers are (MultiRC).
struct PartialAnswer {
  std::int64_t paragraph = 0, question = 0;
  bool right = false;
};

/// The share of questions, told apart by paragraph and number, with right answers only. n ≥ 1.
/// (lm-eval 0.4.13, api/metrics.py acc_all.)
double all_right(std::span<const PartialAnswer> answers);
/// Its standard error as lm-eval gives it: that of a mean over questions told apart by their number
/// alone, whatever the paragraph. nullopt for fewer than two. (acc_all_stderr.)
std::optional<double> all_right_stderr(std::span<const PartialAnswer> answers);

}  // namespace tare::stats
