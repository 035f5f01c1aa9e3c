#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

/// Pure functions on spans; each names its formula's source. Undefined is std::nullopt, never zero.
namespace tare::stats {

/// Σx/n, summed left to right in double as CPython ≤ 3.11's sum() does. n ≥ 1.
double mean(std::span<const double> x);

/// sqrt(Σ(x−μ)²/(n−1)); nullopt for n ≤ 1.
std::optional<double> sample_stddev(std::span<const double> x);

/// Standard error of the mean, sample_stddev/sqrt(n); nullopt for n ≤ 1. (lm-eval 0.4.13,
/// api/metrics.py mean_stderr.)
std::optional<double> mean_stderr(std::span<const double> x);

/// exp(−mean(x)) for log-likelihoods in nats.
double perplexity(std::span<const double> log_likelihoods);

/// The bootstrap of lm-eval 0.4.13 with its random streams: `iterations` resamples in chunks of
/// min(1000, iterations), chunk i drawn from CPython's Random(i); the sample standard deviation of
/// the statistic over all of them. nullopt for n ≤ 1.
std::optional<double> bootstrap_stderr(
    std::span<const double> x, const std::function<double(std::span<const double>)>& statistic,
    std::size_t iterations = 100000);

}  // namespace tare::stats
