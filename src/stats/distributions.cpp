#include "stats/distributions.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

namespace tare::stats {
namespace {

using Binomial = boost::math::binomial_distribution<double>;

Binomial binomial(std::size_t n, double p = 0.5) {
  return Binomial(static_cast<double>(n), p);
}

}  // namespace

double normal_cdf(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double normal_quantile(double p) {
  return boost::math::quantile(boost::math::normal_distribution<double>(), p);
}

double student_quantile(double p, std::size_t degrees) {
  return boost::math::quantile(
      boost::math::students_t_distribution<double>(static_cast<double>(degrees)), p);
}

double two_sided_p(double z) {
  return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

double fair_binomial_cdf(std::size_t k, std::size_t n) {
  return boost::math::cdf(binomial(n), static_cast<double>(k));
}

double fair_binomial_pmf(std::size_t k, std::size_t n) {
  return boost::math::pdf(binomial(n), static_cast<double>(k));
}

double binomial_cdf(std::size_t k, std::size_t n, double p) {
  return boost::math::cdf(binomial(n, p), static_cast<double>(k));
}

double binomial_pmf(std::size_t k, std::size_t n, double p) {
  return boost::math::pdf(binomial(n, p), static_cast<double>(k));
}

double chi_square_tail(double x) {
  return std::erfc(std::sqrt(x / 2));
}

}  // namespace tare::stats
