#pragma once

#include <cstddef>
#include <optional>
#include <span>

/// Two systems on the same items, each right or wrong: what changed, and whether that is more than
/// chance. The first system is the baseline. Undefined is std::nullopt, never zero.
namespace tare::stats {

/// Whether each of the two was right about one item.
struct Verdicts {
  bool first = false, second = false;
};

/// The 2×2 table of verdicts.
struct PairedCounts {
  std::size_t both_right = 0;
  std::size_t only_first = 0;   ///< right became wrong: n10
  std::size_t only_second = 0;  ///< wrong became right: n01
  std::size_t both_wrong = 0;

  [[nodiscard]] std::size_t changed() const { return only_first + only_second; }
  [[nodiscard]] std::size_t total() const { return both_right + changed() + both_wrong; }
};

PairedCounts count_pairs(std::span<const Verdicts> items);

/// Δ = (n01 − n10)/N: how the score moved. (Source 000 §3.6, in words.)
std::optional<double> divergence(const PairedCounts& counts);
/// D = (n01 + n10)/N: the share of items whose verdict changed. |Δ| ≤ D. (Source 000 §3.6.)
std::optional<double> disagreement(const PairedCounts& counts);
/// Whether (|Δ|, D) lies outside the quarter circle of this radius: √(Δ² + D²) > radius. (Source
/// 000: "5% threshold", "points inside the shaded quarter-circle are not severe".)
bool is_severe(double divergence, double disagreement, double radius = 0.05);

/// McNemar's exact test: P of a split of the changed items at least as uneven as this one, if each
/// way is equally likely; 1 if nothing changed. (McNemar 1947; min(1, 2·P(X ≤ min(n01, n10))).)
double mcnemar_exact(const PairedCounts& counts);
/// The same against one side: that the second is worse. P(X ≥ n10). (Kübler et al. 2026.)
double mcnemar_second_worse(const PairedCounts& counts);
/// With half of the probability of the observed split: 2·P(X ≤ k) − P(X = k), k = min(n01, n10).
/// Less conservative. (Lancaster 1961; Fagerland et al. 2013.)
double mcnemar_mid_p(const PairedCounts& counts);

struct ChiSquare {
  double statistic = 0;
  double p = 1;
};

/// (|n01 − n10| − 1)²/(n01 + n10), one degree of freedom; not defined if nothing changed. (Edwards
/// 1948.)
std::optional<ChiSquare> mcnemar_asymptotic(const PairedCounts& counts);

/// n01/n10; not defined for n10 = 0.
std::optional<double> odds_ratio(const PairedCounts& counts);

/// κ = (p_o − p_e)/(1 − p_e), agreement beyond chance; 1 where both are 1. (Cohen 1960; source 000
/// App. D by name.)
std::optional<double> cohen_kappa(const PairedCounts& counts);

/// |wrong in both|/|wrong in any|, Jaccard's index of the sets of errors; not defined without
/// errors. (Source 000 App. E by name; the index from a third party.)
std::optional<double> error_overlap(const PairedCounts& counts);

}  // namespace tare::stats
