#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.h"

namespace tare::plan {

/// Which part of a plan, of how many: 1 ≤ index ≤ count.
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};

/// The part of the plan that one of several processes does: a contiguous piece of its order, of
/// what is scored and of what is generated from. The parts together are the plan, and the costliest
/// part has as few unique tokens as cuts can make it; a prefix that a cut parts counts on both
/// sides. Requests keep their positions. A part may be empty if there are fewer requests than
/// parts.
Plan shard(Plan plan, Shard part);

/// What each of `count` shards asks: positions of the plan's requests, scored ones first.
std::vector<std::vector<std::size_t>> shard_positions(const Plan& plan, std::size_t count);

}  // namespace tare::plan
