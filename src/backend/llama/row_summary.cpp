#include "backend/llama/row_summary.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "backend/llama/exp_sum.h"

namespace tare::backend::llama {

namespace {

constexpr std::size_t kBlock = 1024;

/// Branches and the place are left out, so that compilers make vector code of it.
float largest_of(std::span<const float> values) {
  float largest = values[0];
  for (const float value : values) largest = value > largest ? value : largest;
  return largest;
}

/// Of the first of the largest values; NaN is never one behind the first place.
std::size_t find_largest(std::span<const float> values) {
  std::size_t best = 0;
  float largest = values[0];
  for (std::size_t at = 0; at < values.size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, values.size() - at);
    const float of_block = largest_of(values.subspan(at, size));
    if (at > 0 && !(of_block > largest)) continue;
    largest = of_block;
    best = at;
  }
  const auto found =
      std::find(values.begin() + static_cast<std::ptrdiff_t>(best), values.end(), largest);
  return found == values.end() ? 0 : static_cast<std::size_t>(found - values.begin());
}

bool has_nan(std::span<const float> values) {
  bool found = false;
  for (const float value : values) found |= std::isnan(value);
  return found;
}

}  // namespace

RowSummary summarise(std::span<const float> logits) {
  const std::size_t top = find_largest(logits);
  const float largest = logits[top];
  const auto argmax = static_cast<core::Token>(top);
  if (!std::isfinite(largest) || has_nan(logits))
    return {std::numeric_limits<double>::quiet_NaN(), argmax};
  return {largest + std::log(exp_sum(logits, largest)), argmax};
}

void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto drain = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  const std::size_t wanted = std::min<std::size_t>(threads, count);
  for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(drain);
  drain();
}

}  // namespace tare::backend::llama
