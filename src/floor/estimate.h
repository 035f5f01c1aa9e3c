#pragma once

#include "core/manner.h"

namespace tare::floor {

/// About how many times as long as the reference a setting takes for the same tokens, before it was
/// tried: measured on models of 135 and 270 million parameters (docs/design/floor.md).
double expected_cost(const core::Manner& manner, const core::Manner& reference);

}  // namespace tare::floor
