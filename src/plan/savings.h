#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.h"

namespace tare::plan {

/// The input tokens of a task's requests, and how many of them no request before has in the order
/// of work: a prefix that tasks share counts for the one that comes first.
struct Savings {
  std::size_t requested = 0;
  std::size_t unique = 0;
  /// The share of `requested` that need not be computed; 0 without requests.
  [[nodiscard]] double saved() const {
    return requested == 0 ? 0 : 1 - static_cast<double>(unique) / static_cast<double>(requested);
  }
};

/// Of each task. Their sums are the plan's.
std::vector<Savings> savings(const Plan& plan, std::size_t tasks);

}  // namespace tare::plan
