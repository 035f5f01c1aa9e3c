#pragma once

#include <span>

namespace tare::backend::llama {

/// Σ exp(value − largest) in double. No value may be above `largest`, which is finite; terms below
/// exp(-708) count as that. The same bits on every CPU: the widest vector instructions that it has
/// are used, but operations and their order are fixed. Relative error of a term below 4e-16.
double exp_sum(std::span<const float> values, float largest);

}  // namespace tare::backend::llama
