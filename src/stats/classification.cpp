#include "stats/classification.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tare::stats {
namespace {

struct LabelCount {
  std::int64_t label = 0;
  double gold = 0, predicted = 0;
};

/// Labels are few and this runs once an item of each resample, so a linear search wins.
LabelCount& count_of(std::vector<LabelCount>& counts, std::int64_t label) {
  const auto found = std::find_if(counts.begin(), counts.end(),
                                  [&](const LabelCount& count) { return count.label == label; });
  return found != counts.end() ? *found : counts.emplace_back(LabelCount{label});
}

}  // namespace

bool is_binary(std::span<const Classified> items) {
  if (items.empty()) return true;
  const std::int64_t one = items.front().gold;
  std::int64_t other = one;
  for (const Classified& item : items) {
    for (std::int64_t label : {item.gold, item.predicted}) {
      if (label == one || label == other) continue;
      if (other != one) return false;
      other = label;
    }
  }
  return one == other || one == 1 || other == 1;
}

double binary_f1(std::span<const Classified> items) {
  double hits = 0;
  double positives = 0;  // true ones and predicted ones together
  for (const Classified& item : items) {
    hits += item.gold == 1 && item.predicted == 1 ? 1 : 0;
    positives += (item.gold == 1 ? 1 : 0) + (item.predicted == 1 ? 1 : 0);
  }
  return positives == 0 ? 0 : 2 * hits / positives;
}

double matthews_correlation(std::span<const Classified> items) {
  std::vector<LabelCount> counts;
  double correct = 0;
  for (const Classified& item : items) {
    count_of(counts, item.gold).gold += 1;
    count_of(counts, item.predicted).predicted += 1;
    correct += item.gold == item.predicted ? 1 : 0;
  }
  const auto n = static_cast<double>(items.size());
  double both = 0, gold = 0, predicted = 0;
  for (const LabelCount& count : counts) {
    both += count.gold * count.predicted;
    gold += count.gold * count.gold;
    predicted += count.predicted * count.predicted;
  }
  const double product = (n * n - predicted) * (n * n - gold);
  return product == 0 ? 0 : (correct * n - both) / std::sqrt(product);
}

}  // namespace tare::stats
