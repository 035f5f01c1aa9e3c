#include "backend/llama/generation_plan.h"

#include <algorithm>
#include <numeric>

namespace tare::backend::llama {

std::size_t answer_room(const GenerateItem& item, std::size_t context_length) {
  return std::min(item.settings->max_tokens, context_length - item.tokens.size());
}

std::vector<CapacityGroup> plan_generation(std::span<const GenerateItem> items, std::size_t tile,
                                           std::size_t context_length) {
  const auto need = [&](std::size_t i) {
    const std::size_t behind = std::max(answer_room(items[i], context_length), tile);
    return stream_capacity(items[i].tokens.size() + behind);
  };
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, need);
  std::vector<CapacityGroup> groups;
  for (const std::size_t i : order) {
    if (groups.empty() || 2 * need(i) < groups.back().capacity) groups.push_back({need(i), {}});
    groups.back().items.push_back(i);
  }
  for (CapacityGroup& group : groups)
    std::ranges::stable_sort(group.items, [&](std::size_t a, std::size_t b) {
      return std::ranges::lexicographical_compare(items[a].tokens, items[b].tokens);
    });
  return groups;
}

}  // namespace tare::backend::llama
