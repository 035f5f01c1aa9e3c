#include "stats/classification.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "stats/estimates.h"

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

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// 1 or 0 for each question, in the order in which they first come.
std::vector<double> questions(std::span<const PartialAnswer> answers, bool by_paragraph) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> places;
  std::vector<double> out;
  for (const PartialAnswer& answer : answers) {
    const std::pair key{by_paragraph ? answer.paragraph : 0, answer.question};
    const auto [place, is_new] = places.emplace(key, out.size());
    if (is_new) out.push_back(1);
    if (!answer.right) out[place->second] = 0;
  }
  return out;
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

double brier_score(std::span<const ClassProbabilities> items) {
  double sum = 0;
  for (const ClassProbabilities& item : items) {
    const auto classes = static_cast<std::int64_t>(item.probabilities.size());
    const std::int64_t gold = item.gold < 0 ? item.gold + classes : item.gold;
    if (gold < 0 || gold >= classes || classes != std::ssize(items.front().probabilities))
      return kUndefined;
    double squares = 0;
    for (std::int64_t i = 0; i < classes; ++i) {
      const double error = item.probabilities[static_cast<std::size_t>(i)] - (i == gold ? 1 : 0);
      squares += error * error;
    }
    sum += squares;
  }
  return items.empty() ? kUndefined : sum / static_cast<double>(items.size());
}

double all_right(std::span<const PartialAnswer> answers) {
  return mean(questions(answers, true));
}

std::optional<double> all_right_stderr(std::span<const PartialAnswer> answers) {
  return mean_stderr(questions(answers, false));
}

}  // namespace tare::stats
