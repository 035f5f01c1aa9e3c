#pragma once

#include <cstddef>

/// Probabilities of the few distributions that the tests need, by Boost.Math.
namespace tare::stats {

/// P(Z ≤ z) of the standard normal distribution.
double normal_cdf(double z);
/// The z with P(Z ≤ z) = p, 0 < p < 1.
double normal_quantile(double p);
/// The t with P(T ≤ t) = p of Student's distribution, 0 < p < 1, degrees ≥ 1.
double student_quantile(double p, std::size_t degrees);
/// P(|Z| ≥ |z|).
double two_sided_p(double z);
/// P(X ≤ k) and P(X = k) of X ~ Binomial(n, 1/2).
double fair_binomial_cdf(std::size_t k, std::size_t n);
double fair_binomial_pmf(std::size_t k, std::size_t n);
/// The same of X ~ Binomial(n, p), 0 ≤ p ≤ 1.
double binomial_cdf(std::size_t k, std::size_t n, double p);
double binomial_pmf(std::size_t k, std::size_t n, double p);
/// P(X ≥ x) of χ² with one degree of freedom, x ≥ 0.
double chi_square_tail(double x);

}  // namespace tare::stats
