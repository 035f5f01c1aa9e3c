#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// How much of the differences between scores belongs to the backend (source 000, §3.5 and §3.6).
namespace tare::stats {

/// What the best value of a metric is.
enum class Ideal {
  one,   ///< accuracy, exact match, F1, ROUGE, lms, icat, the rate of Unknown answers
  zero,  ///< the rate of invalid answers, a signed bias
  half,  ///< the stereotype score
};

/// A raw value on the common scale to 1, the best: raw, 1 − |raw|, 1 − 2·|raw − 0.5|. (Source 000
/// §3.5; the absolute value for an ideal of zero is ours, since a signed bias could exceed 1.)
double calibrate(double raw, Ideal ideal);

/// The variance of scores over backends, divided by n − ddof; nullopt for n ≤ ddof and where one is
/// NaN. (Source 000 Table 3 in words; ddof is not told there, 0 is ours.)
std::optional<double> backend_variance(std::span<const double> scores, std::size_t ddof = 0);

/// Mean backend variance in three modes.
struct ModeVariances {
  double deterministic = 0, fix = 0, defaults = 0;
};

/// Where the variance of the default mode comes from; sums to 1.
struct VarianceShares {
  double structural = 0;  ///< V_det/V_def
  double sampling = 0;    ///< (V_fix − V_det)/V_def; may be negative
  double defaults = 0;    ///< (V_def − V_fix)/V_def; may be negative
};

/// nullopt where the default mode has no variance. (Source 000: structural and the rest; the split
/// of the rest is derived from its numbers.)
std::optional<VarianceShares> variance_shares(const ModeVariances& variances);

/// Two clusters that become one; clusters 0..n−1 are the items, n+k is what join k made.
struct Join {
  std::size_t first = 0, second = 0;  ///< first < second
  double distance = 0;
  std::size_t size = 0;  ///< items in what it makes
};

/// Agglomerative clustering of score vectors of equal length by average linkage (UPGMA) of
/// Euclidean distances; n − 1 joins, the nearest first, ties to the lowest numbers. (Sokal &
/// Michener 1958; scipy.cluster.hierarchy.average. Source 000 App. F by name, the method is ours.)
std::vector<Join> cluster_by_average(std::span<const std::vector<double>> vectors);

}  // namespace tare::stats
