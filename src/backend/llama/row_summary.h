#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "core/request.h"

namespace tare::backend::llama {

/// One row of logits over the vocabulary, reduced to what log-probabilities need.
struct RowSummary {
  double log_sum = 0;      ///< log Σ exp(logit), in double over float32 logits
  core::Token argmax = 0;  ///< the first one on ties, as numpy and torch
};

/// The sum is NaN where a logit is, or where the largest is infinite. The terms are taken relative
/// to the largest logit, so that nothing overflows.
RowSummary summarise(std::span<const float> logits);

/// Calls work(i) for i in [0, count) on up to `threads` threads, in any order, and waits for all.
void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(std::size_t)>& work);

}  // namespace tare::backend::llama
