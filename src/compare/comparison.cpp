#include "compare/comparison.h"

#include <fmt/format.h>

#include <utility>

#include "compare/choice.h"
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

/// So that what is called detectable is found whatever the other tests show.
void set_detectable(Comparison& comparison, const MeasureOptions& options) {
  for (Versus& versus : comparison.pairs)
    for (Measured& measured : versus.metrics)
      measured.detectable = detectable_of(measured, comparison.tests, options);
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
  TARE_CHECK(check_common_task(sides[0], sides[second], chosen));
  return pair_runs(sides[0], sides[second], chosen);
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
  set_detectable(comparison, options);
  return comparison;
}

}  // namespace tare::compare
