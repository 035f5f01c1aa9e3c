#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "stats/paired.h"

namespace tare::stats {

struct Interval {
  double low = 0, high = 0;
};

/// Wilson's interval of a proportion; n ≥ 1. (Wilson 1927; llama.cpp uses it for HellaSwag.)
Interval wilson(std::size_t successes, std::size_t n, double level = 0.95);

struct BootstrapOptions {
  std::size_t resamples = 10000;
  std::int64_t seed = 0;
  double level = 0.95;
};

/// Percentile bootstrap interval of the mean, items resampled with replacement. nullopt for no
/// items, and where one is NaN. (Efron 1979; quantiles between order statistics as numpy's
/// default.)
std::optional<Interval> bootstrap_interval(std::span<const double> x,
                                           const BootstrapOptions& options = {});
/// The same with whole clusters resampled: items of one subject or passage are not independent.
/// `cluster` tells the cluster of each item. (Cameron, Gelbach & Miller 2008.)
std::optional<Interval> cluster_bootstrap_interval(std::span<const double> x,
                                                   std::span<const std::size_t> cluster,
                                                   const BootstrapOptions& options = {});

/// Percentile bootstrap interval of Cohen's κ, whole clusters resampled; each item may be a cluster
/// of its own. nullopt for no items. (Efron 1979.)
std::optional<Interval> kappa_interval(std::span<const Verdicts> items,
                                       std::span<const std::size_t> cluster,
                                       const BootstrapOptions& options = {});

/// √(SE² + n⁻² Σ_c Σ_{i≠j∈c} (x_i − x̄)(x_j − x̄)), SE with n − 1. nullopt for n ≤ 1, and where the
/// clusters' covariances make it negative. (Miller 2024, arXiv 2411.00640.)
std::optional<double> clustered_stderr(std::span<const double> x,
                                       std::span<const std::size_t> cluster);
/// √Σ_c (Σ_{i∈c} (x_i − x̄))²/n: the cluster-robust one without correction, CR0. nullopt for n = 0.
std::optional<double> clustered_stderr_cr0(std::span<const double> x,
                                           std::span<const std::size_t> cluster);

/// The quantile q of sorted numbers, between neighbours in proportion (Hyndman & Fan's type 7).
double quantile(std::span<const double> sorted, double q);

}  // namespace tare::stats
