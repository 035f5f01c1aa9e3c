// Two finished runs, item by item: paired_runs RUN_A RUN_B
// A tab-separated line for each metric that says right or wrong: how many answers turned wrong, how
// many turned right, the paired difference with its 95 % interval, and McNemar's exact p. Folders
// -> sides -> pairs of values -> 2x2 table -> statistics: what `tare compare` is made of.

#include <cstdio>
#include <optional>
#include <vector>

#include "base/result.h"
#include "compare/comparison.h"
#include "stats/paired.h"
#include "stats/paired_intervals.h"

namespace {

namespace base = tare::base;
namespace compare = tare::compare;
namespace stats = tare::stats;

std::optional<bool> verdict_of(const base::Value& value) {
  if (value == base::Value(1)) return true;  // as in Python, 1 == 1.0 == True
  if (value == base::Value(0)) return false;
  return std::nullopt;
}

/// None for a metric that is no verdict, and where no document has a score on both sides.
std::optional<stats::PairedCounts> counts_of(const compare::Series& series) {
  std::vector<stats::Verdicts> items;
  for (const compare::Pair& pair : series.pairs) {
    if (pair.first.is_none() || pair.second.is_none()) continue;  // failed: counted by the caller
    const auto first = verdict_of(pair.first), second = verdict_of(pair.second);
    if (!first || !second) return std::nullopt;
    items.push_back({.first = *first, .second = *second});
  }
  if (items.empty()) return std::nullopt;
  return stats::count_pairs(items);
}

void print(const compare::Series& series, const stats::PairedCounts& counts) {
  const stats::Interval interval = stats::difference_interval(counts);
  std::printf("%s\t%s,%s\t%zu of %zu\t-%zu +%zu\t%+.4f\t%+.4f to %+.4f\tp=%.4f\n",
              series.task.c_str(), series.metric.c_str(), series.filter.c_str(), counts.total(),
              series.pairs.size(), counts.only_first, counts.only_second,
              *stats::divergence(counts), interval.low, interval.high,
              stats::mcnemar_exact(counts));
}

base::Result<int> print_runs(const char* first, const char* second) {
  TARE_TRY(const std::vector<compare::Side> sides, compare::read_sides({first, second}));
  TARE_TRY(const compare::PairedRuns runs, compare::pair_with_first(sides, 1, {}));
  for (const compare::Series& series : runs.series)
    if (const auto counts = counts_of(series)) print(series, *counts);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: paired_runs RUN_A RUN_B\n");
    return 2;
  }
  const base::Result<int> printed = print_runs(argv[1], argv[2]);
  if (!printed) std::fprintf(stderr, "paired_runs: %s\n", printed.error().text.c_str());
  return printed ? *printed : 1;
}
