#include "base/python_random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace tare::base {
namespace {

constexpr std::size_t kWords = 624;
constexpr std::size_t kShift = 397;

using State = std::array<std::uint32_t, kWords>;

void seed_by_number(State& state, std::uint32_t seed) {
  state[0] = seed;
  for (std::size_t i = 1; i < kWords; ++i) {
    const std::uint32_t last = state[i - 1];
    state[i] = 1812433253u * (last ^ (last >> 30)) + static_cast<std::uint32_t>(i);
  }
}

/// init_by_array of Matsumoto and Nishimura, mt19937ar (2002).
void seed_by_key(State& state, const std::vector<std::uint32_t>& key) {
  seed_by_number(state, 19650218u);
  std::size_t i = 1;
  auto mixed = [&](std::uint32_t factor) {
    const std::uint32_t last = state[i - 1];
    return state[i] ^ ((last ^ (last >> 30)) * factor);
  };
  auto advance = [&] {
    if (++i < kWords) return;
    state[0] = state[kWords - 1];
    i = 1;
  };
  std::size_t j = 0;
  for (std::size_t k = std::max(kWords, key.size()); k > 0; --k) {
    state[i] = mixed(1664525u) + key[j] + static_cast<std::uint32_t>(j);
    advance();
    j = (j + 1) % key.size();
  }
  for (std::size_t k = kWords - 1; k > 0; --k) {
    state[i] = mixed(1566083941u) - static_cast<std::uint32_t>(i);
    advance();
  }
  state[0] = 0x80000000u;
}

std::uint32_t twist(std::uint32_t high, std::uint32_t low, std::uint32_t shifted) {
  const std::uint32_t y = (high & 0x80000000u) | (low & 0x7FFFFFFFu);
  return shifted ^ (y >> 1) ^ ((y & 1u) * 0x9908B0DFu);
}

/// In three stretches, so that no index needs a remainder: this is most of the cost of a draw.
void regenerate(State& state) {
  std::size_t i = 0;
  for (; i < kWords - kShift; ++i) state[i] = twist(state[i], state[i + 1], state[i + kShift]);
  for (; i < kWords - 1; ++i) state[i] = twist(state[i], state[i + 1], state[i + kShift - kWords]);
  state[i] = twist(state[i], state[0], state[kShift - 1]);
}

std::vector<std::uint32_t> key_of(std::int64_t seed) {
  const auto raw = static_cast<std::uint64_t>(seed);
  const std::uint64_t magnitude = seed < 0 ? 0 - raw : raw;
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(magnitude)};
  if (const auto high = static_cast<std::uint32_t>(magnitude >> 32)) key.push_back(high);
  return key;
}

/// The size up to which random.sample prefers a pool of all items over a set of those drawn.
std::size_t pool_limit(std::size_t k) {
  std::size_t limit = 21;
  if (k > 5) {
    std::size_t power = 1;
    while (power < 3 * k) power *= 4;
    limit += power;
  }
  return limit;
}

std::vector<std::size_t> counting(std::size_t n) {
  std::vector<std::size_t> items(n);
  std::iota(items.begin(), items.end(), std::size_t{0});
  return items;
}

}  // namespace

PythonRandom::PythonRandom(std::int64_t seed) {
  seed_by_key(state_, key_of(seed));
}

std::uint32_t PythonRandom::next_u32() {
  if (index_ == kWords) {
    regenerate(state_);
    index_ = 0;
  }
  std::uint32_t y = state_[index_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9D2C5680u;
  y ^= (y << 15) & 0xEFC60000u;
  return y ^ (y >> 18);
}

double PythonRandom::random() {
  const double high = next_u32() >> 5;
  const double low = next_u32() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

std::uint32_t PythonRandom::bits(int k) {
  return next_u32() >> (32 - k);
}

std::uint64_t PythonRandom::below(std::uint64_t n) {
  const int width = static_cast<int>(std::bit_width(n));
  auto draw = [&]() -> std::uint64_t {
    if (width <= 32) return bits(width);
    const std::uint64_t low = next_u32();
    return low | static_cast<std::uint64_t>(bits(width - 32)) << 32;
  };
  std::uint64_t drawn = draw();
  while (drawn >= n) drawn = draw();
  return drawn;
}

std::vector<std::size_t> PythonRandom::sample(std::size_t n, std::size_t k) {
  std::vector<std::size_t> drawn;
  drawn.reserve(k);
  if (n <= pool_limit(k)) {
    std::vector<std::size_t> pool = counting(n);
    for (std::size_t i = 0; i < k; ++i) {
      const std::size_t j = below(n - i);
      drawn.push_back(std::exchange(pool[j], pool[n - i - 1]));
    }
    return drawn;
  }
  std::unordered_set<std::size_t> taken;
  while (drawn.size() < k) {
    const std::size_t j = below(n);
    if (taken.insert(j).second) drawn.push_back(j);
  }
  return drawn;
}

std::vector<std::size_t> PythonRandom::choices(std::size_t n, std::size_t k) {
  std::vector<std::size_t> drawn(k);
  for (std::size_t& index : drawn)
    index = static_cast<std::size_t>(std::floor(random() * static_cast<double>(n)));
  return drawn;
}

std::vector<std::size_t> PythonRandom::shuffled(std::size_t n) {
  std::vector<std::size_t> items = counting(n);
  for (std::size_t i = n; i-- > 1;) std::swap(items[i], items[below(i + 1)]);
  return items;
}

}  // namespace tare::base
