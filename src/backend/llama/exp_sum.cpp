#include "backend/llama/exp_sum.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

// Compiled without contraction to fused multiply-add: it would make bits depend on the CPU.
namespace tare::backend::llama {
namespace {

constexpr std::size_t kLanes = 8;
using Floats [[gnu::vector_size(kLanes * sizeof(float))]] = float;
using Doubles [[gnu::vector_size(kLanes * sizeof(double))]] = double;
using Bits [[gnu::vector_size(kLanes * sizeof(double))]] = std::int64_t;

constexpr double kLeast = -708;  ///< exp() of less is not a normal number
constexpr double kLog2E = 0x1.71547652b82fep+0;
constexpr double kLn2High = 0x1.62e42fefa0000p-1;  ///< times an exponent: exact
constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
constexpr double kShift = 0x1.8p+52;  ///< added: the last bits are the nearest integer's
/// 1/k!, from the last term on: Taylor's series to r^13 for |r| ≤ ln(2)/2.
constexpr std::array kTerms{1.0 / 6227020800,
                            1.0 / 479001600,
                            1.0 / 39916800,
                            1.0 / 3628800,
                            1.0 / 362880,
                            1.0 / 40320,
                            1.0 / 5040,
                            1.0 / 720,
                            1.0 / 120,
                            1.0 / 24,
                            1.0 / 6,
                            1.0 / 2,
                            1.0,
                            1.0};

/// exp(x) = 2^n · exp(r) with x = n·ln 2 + r.
[[gnu::always_inline]] inline void add_exp(const Doubles& value, Doubles& sum) {
  const Doubles x = value < kLeast ? Doubles{} + kLeast : value;
  const Doubles shifted = x * kLog2E + kShift;
  const Doubles n = shifted - kShift;
  const Doubles r = (x - n * kLn2High) - n * kLn2Low;
  Doubles series = Doubles{} + kTerms[0];
  for (std::size_t k = 1; k < kTerms.size(); ++k) series = series * r + kTerms[k];
  sum += reinterpret_cast<Doubles>(reinterpret_cast<Bits>(series) +
                                   (reinterpret_cast<Bits>(shifted) << 52));
}

[[gnu::always_inline]] inline void add_lanes(const float* values, float largest, Doubles& sum) {
  Floats lanes;
  std::memcpy(&lanes, values, sizeof lanes);
  const Doubles x = __builtin_convertvector(lanes, Doubles) - static_cast<double>(largest);
  add_exp(x, sum);
}

/// Two sums side by side, so that one addition need not wait for the other.
[[gnu::always_inline]] inline double sum_all(std::span<const float> values, float largest) {
  Doubles even{}, odd{};
  std::size_t at = 0;
  for (; at + 2 * kLanes <= values.size(); at += 2 * kLanes) {
    add_lanes(&values[at], largest, even);
    add_lanes(&values[at + kLanes], largest, odd);
  }
  std::array<float, 2 * kLanes> rest;
  rest.fill(-std::numeric_limits<float>::infinity());
  std::memcpy(rest.data(), values.data() + at, (values.size() - at) * sizeof(float));
  if (at < values.size()) {
    add_lanes(rest.data(), largest, even);
    add_lanes(rest.data() + kLanes, largest, odd);
  }
  const Doubles sum = even + odd;
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

using Sum = double (*)(std::span<const float>, float);

double sum_plain(std::span<const float> values, float largest) {
  return sum_all(values, largest);
}

#if defined(__x86_64__)

[[gnu::target("avx2")]] double sum_avx2(std::span<const float> values, float largest) {
  return sum_all(values, largest);
}

[[gnu::target("avx512f")]] double sum_avx512(std::span<const float> values, float largest) {
  return sum_all(values, largest);
}

Sum best_sum() {
  if (__builtin_cpu_supports("avx512f")) return sum_avx512;
  if (__builtin_cpu_supports("avx2")) return sum_avx2;
  return sum_plain;
}

#else

Sum best_sum() {
  return sum_plain;
}

#endif

}  // namespace

double exp_sum(std::span<const float> values, float largest) {
  static const Sum sum = best_sum();
  return sum(values, largest);
}

}  // namespace tare::backend::llama
