#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/llama/context.h"

namespace tare::backend::llama {

/// The logits of one row after the other.
using Logits = std::vector<std::vector<float>>;

/// What generate() computes while answers grow, with answers that are known: each item's tokens up
/// to first_scored are a prompt, and the others follow it one by one. Gives each item's logits, a
/// row for each token that follows. Item i sits in slot `first_seat` + i; the others are idle.
base::Result<std::vector<Logits>> answer_logits(Context& context, std::span<const ScoreItem> items,
                                                std::size_t first_seat);

}  // namespace tare::backend::llama
