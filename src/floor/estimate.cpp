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
      {{"x64", 12}, {"sse42", 8}, {"sandybridge", 4.5}, {"ivybridge", 4.5}}};
  for (const auto& [name, cost] : kSlow)
    if (tier == name) return cost;
  return 1;
}

/// Products of few rows read all weights for little work.
double row_cost(std::size_t rows) {
  constexpr double kWeightsInRows = 4;
  return 1 + kWeightsInRows / static_cast<double>(rows);
}

/// In a KV cache that they share, sequences look at each other's keys to no end.
double sequence_cost(const core::Manner& manner) {
  constexpr double kEachOther = 0.2;
  const auto sequences = static_cast<double>(manner.sequences);
  return manner.unified_kv ? sequences * (1 + kEachOther * (sequences - 1)) : sequences;
}

double cost(const core::Manner& manner) {
  return tier_cost(manner.tier) * row_cost(manner.micro_batch) * sequence_cost(manner) /
         static_cast<double>(manner.threads);
}

}  // namespace

double expected_cost(const core::Manner& manner, const core::Manner& reference) {
  return cost(manner) / cost(reference);
}

double expected_item_cost(const ItemTokens& tokens, const core::Manner& manner,
                          const core::Manner& reference) {
  const double rows = tokens.read * row_cost(manner.micro_batch) +
                      tokens.written * row_cost(std::min(manner.sequences, manner.micro_batch));
  return rows * tier_cost(manner.tier) / static_cast<double>(manner.threads) / cost(reference);
}

}  // namespace tare::floor
