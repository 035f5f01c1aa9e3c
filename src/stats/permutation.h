#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tare::stats {

struct Permutation {
  double p = 1;                  ///< two-sided
  std::size_t permutations = 0;  ///< that were looked at
  bool exact = false;            ///< these were all
};

/// Sign-flip test that the mean of paired differences is 0: how often it is at least as far from 0
/// when each difference's sign is drawn. All signs are tried where that takes no more than
/// `permutations`; else p = (1 + hits)/(1 + permutations). Equals McNemar's exact test for
/// verdicts. p is 1 where all differences are zero; nullopt for none, and where one is NaN. (Fisher
/// 1935; Phipson & Smyth 2010 for the added one.)
std::optional<Permutation> sign_flip_test(std::span<const double> differences,
                                          std::size_t permutations = 10000, std::int64_t seed = 0);

/// The least p that sign_flip_test can have with n differences: all of one sign, none of them 0.
double least_sign_flip_p(std::size_t n, std::size_t permutations = 10000);

}  // namespace tare::stats
