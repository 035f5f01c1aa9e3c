#include "backend/llama/item_sums.h"

#include <utility>

namespace tare::backend::llama {

ItemSums::ItemSums(std::span<const ScoreItem> items)
    : items_(items), sums_(items.size(), {.sum = 0, .greedy = true}) {
  for (const ScoreItem& item : items) missing_.push_back(item.tokens.size() - item.first_scored);
}

void ItemSums::add(const Read& read, double log_p, bool is_argmax) {
  core::LogLikelihood& value = sums_[read.item];
  value.sum += log_p;
  value.greedy = value.greedy && is_argmax;
  if (--missing_[read.item] == 0) finished_.push_back({items_[read.item].id, value});
}

std::vector<ScoreResult> ItemSums::take_finished() {
  return std::exchange(finished_, {});
}

}  // namespace tare::backend::llama
