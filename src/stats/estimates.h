#pragma once

#include <optional>
#include <span>

/// Pure functions on spans; each names its formula's source. Undefined is std::nullopt, never zero.
namespace tare::stats {

/// Σx/n, summed left to right in double as CPython ≤ 3.11's sum() does. n ≥ 1.
double mean(std::span<const double> x);

/// The mean of the values that are not NaN; NaN if there is none. (lm-eval 0.4.13, api/metrics.py
/// nanmean; summed left to right, where numpy sums pairwise: the last digits may differ.)
double nan_mean(std::span<const double> x);

/// The upper median, x sorted at n/2, not the mean of the middle two. n ≥ 1. (lm-eval 0.4.13,
/// api/metrics.py median.)
double median(std::span<const double> x);

/// exp(−mean(x)) for log-likelihoods in nats. n ≥ 1.
double perplexity(std::span<const double> log_likelihoods);

/// A quantity and what it counts for: a log-likelihood and its number of words or bytes.
struct Weighted {
  double value = 0;
  double weight = 1;
};

/// Σvalue/Σweight; NaN or infinite where the weights sum to 0. n ≥ 1. (lm-eval 0.4.13,
/// api/metrics.py weighted_mean.)
double weighted_mean(std::span<const Weighted> items);

/// exp(−weighted_mean): perplexity per word or byte.
double weighted_perplexity(std::span<const Weighted> log_likelihoods);

/// −weighted_mean/ln 2 for log-likelihoods in nats weighted by bytes.
double bits_per_byte(std::span<const Weighted> log_likelihoods);

/// sqrt(Σ(x−μ)²/(n−1)); nullopt for n ≤ 1.
std::optional<double> sample_stddev(std::span<const double> x);

/// Standard error of the mean, sample_stddev/sqrt(n); nullopt for n ≤ 1. (lm-eval 0.4.13,
/// api/metrics.py mean_stderr.)
std::optional<double> mean_stderr(std::span<const double> x);

}  // namespace tare::stats
