#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/intervals.h"
#include "stats/paired.h"

/// Intervals of the difference of two systems on the same items, without resampling.
namespace tare::stats {

/// The score interval of (n01 − n10)/N: all differences that a score test does not reject. Of use
/// for few changed items too, and wider than nothing where none changed. N ≥ 1. (Tango 1998,
/// Statistics in Medicine 17:891-908, equations 8 to 11; found by bisection.)
Interval difference_interval(const PairedCounts& counts, double level = 0.95);

/// κ ± z·SE, cut at −1 and 1. nullopt where κ or its error is not defined or the error is 0: in
/// complete agreement. (Fleiss, Cohen & Everitt 1969, equation 13.)
std::optional<Interval> kappa_interval(const PairedCounts& counts, double level = 0.95);

/// A number and its standard error, which n values gave.
struct Estimated {
  double value = 0;
  double error = 0;
};

/// value ± t·error with n − 1 degrees of freedom; nullopt for n ≤ 1. (Student 1908.)
std::optional<Interval> t_interval(const Estimated& estimated, std::size_t n, double level = 0.95);

/// √(n/(n − 1)·Σ u_i²): the standard error of a statistic, u_i the influence of item i on it, such
/// as (x_i − x̄)/n on a mean. nullopt for n ≤ 1. (Hampel 1974; of a mean it is mean_stderr.)
std::optional<double> influence_stderr(std::span<const double> influences);

/// Two-sided p of (second − first)/√(SE₁² + SE₂²), which takes the two for results on different
/// items. nullopt where both errors are 0. (lm-evaluation-harness, scripts/model_comparator.py.)
std::optional<double> unpaired_p(const Estimated& first, const Estimated& second);

}  // namespace tare::stats
