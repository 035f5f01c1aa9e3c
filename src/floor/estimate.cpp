#include "floor/estimate.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tare::floor {
namespace {

/// A tier's time over that of the AVX2 one.
double tier_cost(std::string_view tier) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kSlow{
      {{"x64", 8}, {"sse42", 4}, {"sandybridge", 3}, {"ivybridge", 2.5}}};
  for (const auto& [name, cost] : kSlow)
    if (tier == name) return cost;
  return 1;
}

/// Products of few rows read all weights for little work.
double row_cost(const core::Manner& manner) {
  constexpr double kWeightsInRows = 6;
  return 1 + kWeightsInRows / static_cast<double>(manner.micro_batch);
}

double cost(const core::Manner& manner) {
  return tier_cost(manner.tier) * row_cost(manner) * static_cast<double>(manner.sequences) /
         static_cast<double>(manner.threads);
}

}  // namespace

double expected_cost(const core::Manner& manner, const core::Manner& reference) {
  return cost(manner) / cost(reference);
}

}  // namespace tare::floor
