#pragma once

#include <span>
#include <vector>

/// p-values of a family of tests, adjusted so that each can be held against the family's level.
/// NaN stays NaN and does not count as a test.
namespace tare::stats {

/// Holm's step-down adjustment: the chance of any false finding stays below the level. (Holm 1979.)
std::vector<double> holm(std::span<const double> p);

/// Benjamini and Hochberg's: the expected share of false findings stays below it. (1995.)
std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace tare::stats
