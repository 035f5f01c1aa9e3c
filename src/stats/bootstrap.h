#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "stats/classification.h"

namespace tare::stats {

/// The bootstrap of lm-eval 0.4.13 (api/metrics.py bootstrap_stderr) with its random streams:
/// resamples in chunks of min(1000, iterations), chunk i drawn from CPython's Random(i), an
/// incomplete last chunk left out; the sample standard deviation of the statistic over all of them.
/// nullopt for n ≤ 1 or fewer than two resamples.
std::optional<double> bootstrap_stderr(
    std::span<const double> x, const std::function<double(std::span<const double>)>& statistic,
    std::size_t iterations);
std::optional<double> bootstrap_stderr(
    std::span<const Classified> x,
    const std::function<double(std::span<const Classified>)>& statistic, std::size_t iterations);
/// The same where the statistic is told which of n items were drawn.
std::optional<double> bootstrap_stderr(
    std::size_t n, const std::function<double(std::span<const std::size_t>)>& statistic,
    std::size_t iterations);

}  // namespace tare::stats
