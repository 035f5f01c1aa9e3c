#include "backend/llama/row_summary.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace tare::backend::llama {

RowSummary summarise(std::span<const float> logits) {
  const auto top = std::max_element(logits.begin(), logits.end());
  const double largest = *top;
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  return {largest + std::log(sum), static_cast<core::Token>(top - logits.begin())};
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
