#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tare::base {

/// CPython's random.Random: MT19937 seeded by init_by_array over the 32-bit words of |seed|, and
/// the derived methods, draw for draw (Lib/random.py of CPython 3.11).
class PythonRandom {
 public:
  explicit PythonRandom(std::int64_t seed);

  std::uint32_t next_u32();
  /// random.random(): uniform in [0, 1) with 53 bits.
  double random();
  /// getrandbits(k) for k in 1..32.
  std::uint32_t bits(int k);
  /// _randbelow(n), n ≥ 1.
  std::uint64_t below(std::uint64_t n);
  /// The indices that sample(range(n), k) returns; k ≤ n.
  std::vector<std::size_t> sample(std::size_t n, std::size_t k);
  /// The indices that choices(range(n), k=k) returns.
  std::vector<std::size_t> choices(std::size_t n, std::size_t k);
  /// The permutation that shuffle(list(range(n))) makes.
  std::vector<std::size_t> shuffled(std::size_t n);

 private:
  std::array<std::uint32_t, 624> state_{};
  std::size_t index_ = 624;
};

}  // namespace tare::base
