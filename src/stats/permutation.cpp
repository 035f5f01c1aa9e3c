#include "stats/permutation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/python_random.h"

namespace tare::stats {
namespace {

/// Sums of the same numbers in another order differ by their rounding.
double bound(const std::vector<double>& sizes, double sum) {
  return std::abs(sum) - 1e-12 * std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

/// Gray code: each step turns one sign.
Permutation try_all(std::vector<double> signed_sizes, double least) {
  const std::size_t all = std::size_t{1} << signed_sizes.size();
  double sum = std::accumulate(signed_sizes.begin(), signed_sizes.end(), 0.0);
  std::size_t hits = std::abs(sum) >= least;
  for (std::size_t step = 1; step < all; ++step) {
    double& turned = signed_sizes[static_cast<std::size_t>(__builtin_ctzll(step))];
    turned = -turned;
    sum += 2 * turned;
    hits += std::abs(sum) >= least;
  }
  return {static_cast<double>(hits) / static_cast<double>(all), all, true};
}

double draw_sum(const std::vector<double>& sizes, base::PythonRandom& random) {
  double sum = 0;
  for (std::size_t i = 0; i < sizes.size(); i += 32) {
    const std::uint32_t signs = random.next_u32();
    for (std::size_t bit = 0; bit < 32 && i + bit < sizes.size(); ++bit)
      sum += (signs >> bit & 1U) != 0 ? sizes[i + bit] : -sizes[i + bit];
  }
  return sum;
}

bool tries_all(std::size_t n, std::size_t permutations) {
  return n < 48 && std::size_t{1} << n <= permutations;
}

Permutation try_some(const std::vector<double>& sizes, double least, std::size_t permutations,
                     std::int64_t seed) {
  base::PythonRandom random(seed);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < permutations; ++i) hits += std::abs(draw_sum(sizes, random)) >= least;
  return {static_cast<double>(hits + 1) / static_cast<double>(permutations + 1), permutations,
          false};
}

}  // namespace

std::optional<Permutation> sign_flip_test(std::span<const double> differences,
                                          std::size_t permutations, std::int64_t seed) {
  if (differences.empty()) return std::nullopt;
  std::vector<double> sizes;
  double sum = 0;
  for (const double d : differences) {
    if (std::isnan(d)) return std::nullopt;
    sum += d;
    if (d != 0) sizes.push_back(std::abs(d));
  }
  const double least = bound(sizes, sum);
  if (tries_all(sizes.size(), permutations)) return try_all(std::move(sizes), least);
  return try_some(sizes, least, permutations, seed);
}

double least_sign_flip_p(std::size_t n, std::size_t permutations) {
  if (n == 0) return 1;
  if (tries_all(n, permutations)) return 2 / static_cast<double>(std::size_t{1} << n);
  return 1 / static_cast<double>(permutations + 1);
}

}  // namespace tare::stats
