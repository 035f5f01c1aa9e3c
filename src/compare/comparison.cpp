#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/nearest.h"
#include "stats/multiplicity.h"

namespace tare::compare {
namespace {

constexpr std::size_t kMostSides = 26;

/// Over the tests of all pairs: a reader looks at all of them.
void adjust(Comparison& comparison) {
  std::vector<Measured*> tests;
  std::vector<double> p;
  for (Versus& versus : comparison.pairs)
    for (Measured& measured : versus.metrics)
      if (measured.p) {
        tests.push_back(&measured);
        p.push_back(*measured.p);
      }
  const std::vector<double> adjusted = stats::holm(p);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i]->adjusted = adjusted[i];
  comparison.tests = tests.size();
}

std::vector<std::string> task_names(const Side& side) {
  std::vector<std::string> names;
  for (const core::TaskRecord& task : side.run.record.tasks) names.push_back(task.task.name);
  return names;
}

/// A name that was chosen and is in no run.
base::Status check_chosen(const std::vector<Side>& sides, const Chosen& chosen) {
  std::vector<std::string> tasks, metrics;
  for (const Side& side : sides)
    for (const core::TaskRecord& task : side.run.record.tasks) {
      tasks.push_back(task.task.name);
      for (const core::Estimate& estimate : task.score.estimates)
        metrics.push_back(estimate.metric);
    }
  const auto check = [](const char* flag, const std::vector<std::string>& wanted,
                        std::vector<std::string>& known) -> base::Status {
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (const std::string& name : wanted) {
      if (std::ranges::find(known, name) != known.end()) continue;
      auto near = base::nearest_names(name, known);
      if (near.empty()) near = known;
      constexpr std::size_t kNamed = 5;
      if (near.size() > kNamed) near.resize(kNamed);
      return base::input_error(fmt::format("{} {}: is in none of the runs; wanted e.g. {}", flag,
                                           name, base::join_or(near)));
    }
    return {};
  };
  TARE_CHECK(check("--tasks", chosen.tasks, tasks));
  return check("--metric", chosen.metrics, metrics);
}

}  // namespace

base::Result<std::vector<Side>> read_sides(const std::vector<std::string>& named) {
  if (named.size() > kMostSides)
    return base::usage_error(fmt::format("{} runs; wanted 2 to {}", named.size(), kMostSides));
  std::vector<Side> sides;
  for (const std::string& name : named) {
    TARE_TRY(const store::RunFiles files, store::find_run(name));
    TARE_TRY(auto run, store::read_run(files));
    sides.push_back({std::string(1, static_cast<char>('A' + sides.size())), std::move(run)});
  }
  return sides;
}

base::Result<PairedRuns> pair_with_first(const std::vector<Side>& sides, std::size_t second,
                                         const Chosen& chosen) {
  TARE_CHECK(check_chosen(sides, chosen));
  TARE_TRY(PairedRuns paired, pair_runs(sides[0], sides[second], chosen));
  if (!paired.series.empty() || paired.items > 0) return paired;
  return base::input_error(
      fmt::format("{} and {} have no task in common; found {} and {}",
                  sides[0].run.files.results.string(), sides[second].run.files.results.string(),
                  base::join_or(task_names(sides[0])), base::join_or(task_names(sides[second]))));
}

Comparison compare(std::vector<Side> sides, std::vector<PairedRuns> paired,
                   const MeasureOptions& options) {
  Comparison comparison;
  comparison.sides = std::move(sides);
  comparison.level = options.level;
  for (std::size_t i = 0; i < paired.size(); ++i) {
    Versus versus{.second = i + 1,
                  .differences = std::move(paired[i].differences),
                  .metrics = {},
                  .items = paired[i].items,
                  .failed = paired[i].failed};
    for (const Series& series : paired[i].series)
      versus.metrics.push_back(measure(series, options));
    comparison.pairs.push_back(std::move(versus));
  }
  adjust(comparison);
  return comparison;
}

}  // namespace tare::compare
