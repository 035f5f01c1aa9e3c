#pragma once

#include "core/manner.h"

namespace tare::floor {

/// About how many times as long as the reference a setting takes for the same tokens, before it was
/// tried: measured on models of 135 and 270 million parameters (docs/design/floor.md).
double expected_cost(const core::Manner& manner, const core::Manner& reference);

/// Tokens of items: read in prompts, and written one after the other.
struct ItemTokens {
  double read = 0, written = 0;
};

/// About how many tokens of a long prompt the reference computes in the time that the items take.
double expected_item_cost(const ItemTokens& tokens, const core::Manner& manner,
                          const core::Manner& reference);

}  // namespace tare::floor
