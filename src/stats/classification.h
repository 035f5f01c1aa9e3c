#pragma once

#include <cstdint>
#include <span>

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

}  // namespace tare::stats
