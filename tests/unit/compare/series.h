#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.h"

namespace tare::test {

/// A metric of the same documents in two runs, whose results say what the values give as a mean.
inline compare::Series series(const std::string& metric, std::vector<base::Value> first,
                              std::vector<base::Value> second) {
  compare::Series made;
  made.task = "t";
  made.metric = metric;
  made.filter = "none";
  for (std::size_t i = 0; i < first.size(); ++i)
    made.pairs.push_back({static_cast<std::int64_t>(i), first[i], second[i], false});
  for (auto* values : {&first, &second})
    std::erase_if(*values, [](const base::Value& value) { return value.is_none(); });
  made.all_first = std::move(first);
  made.all_second = std::move(second);
  return made;
}

/// Verdicts with these counts.
inline compare::Series verdicts(std::size_t both, std::size_t lost, std::size_t won,
                                std::size_t none) {
  std::vector<base::Value> first, second;
  const auto add = [&](std::size_t count, double one, double other) {
    first.insert(first.end(), count, one);
    second.insert(second.end(), count, other);
  };
  add(both, 1, 1);
  add(lost, 1, 0);
  add(won, 0, 1);
  add(none, 0, 0);
  return series("acc", std::move(first), std::move(second));
}

/// Two runs, A and B, with nothing known but these metrics.
inline compare::Comparison comparison(std::vector<compare::Series> all,
                                      const compare::MeasureOptions& options = {}) {
  std::vector<compare::Side> sides{{"A", {}}, {"B", {}}};
  for (compare::Side& side : sides)
    for (const compare::Series& one : all) {
      core::TaskRecord task;
      task.task.name = one.task;
      core::Estimate& estimate = task.score.estimates.emplace_back();
      estimate.metric = one.metric;
      estimate.filter = one.filter;
      side.run.record.tasks.push_back(std::move(task));
    }
  std::vector<compare::PairedRuns> paired(1);
  paired[0].series = std::move(all);
  return compare::compare(std::move(sides), std::move(paired), options);
}

}  // namespace tare::test
