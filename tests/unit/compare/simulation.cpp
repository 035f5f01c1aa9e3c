#include "unit/compare/simulation.h"

#include <fmt/format.h>

#include <cmath>

#include "compare/measure.h"
#include "stats/distributions.h"
#include "stats/estimates.h"
#include "unit/compare/series.h"

namespace tare::test {
namespace {

constexpr double kLevel = 0.95;

/// The share of items that are right in both runs, by the correlation of the verdicts.
double both_right(const Regime& regime) {
  const double a = regime.first, b = regime.second;
  return a * b + regime.correlation * std::sqrt(a * (1 - a) * b * (1 - b));
}

std::pair<double, double> draw_verdicts(const Regime& regime, double u) {
  const double both = both_right(regime);
  const bool first = u < regime.first;
  const bool second = u < both || (u >= regime.first && u < regime.first + regime.second - both);
  return {first ? 1 : 0, second ? 1 : 0};
}

/// Exponential numbers that the runs share to the part that their correlation is.
std::pair<double, double> draw_values(const Regime& regime, base::PythonRandom& random) {
  const auto draw = [&] { return -std::log(1 - random.random()) - 1; };
  const double shared = std::sqrt(regime.correlation) * draw(),
               own = std::sqrt(1 - regime.correlation);
  const double first = shared + own * draw(), second = shared + own * draw();
  return {regime.first + first, regime.second + second};
}

std::vector<double> numbers(const std::vector<base::Value>& values) {
  std::vector<double> all;
  for (const base::Value& value : values) all.push_back(value.as_number());
  return all;
}

void add_pair(const compare::Series& series, double truth, Records& records) {
  const compare::Measured measured =
      compare::measure(series, {.level = kLevel, .permutations = 200});
  records.paired.add(measured.interval->low, measured.interval->high, truth, *measured.p);
  const std::vector<double> first = numbers(series.all_first), second = numbers(series.all_second);
  const double error = std::hypot(*stats::mean_stderr(first), *stats::mean_stderr(second));
  const double half = stats::normal_quantile((1 + kLevel) / 2) * error;
  const double difference = stats::mean(second) - stats::mean(first);
  records.unpaired.add(difference - half, difference + half, truth,
                       measured.unpaired_p.value_or(1));
}

}  // namespace

std::vector<Regime> regimes() {
  return {{60, 0.60, 0.60, 0.2},       {100, 0.50, 0.50, 0.8},   {100, 0.90, 0.90, 0.5},
          {400, 0.30, 0.33, 0.7},      {400, 0.70, 0.66, 0.8},   {1000, 0.25, 0.25, 0.3},
          {1000, 0.55, 0.53, 0.9},     {2000, 0.80, 0.79, 0.95}, {100, 1.0, 1.0, 0.6, false},
          {400, 1.0, 0.95, 0.9, false}};
}

compare::Series simulate(const Regime& regime, base::PythonRandom& random) {
  std::vector<base::Value> first, second;
  for (std::size_t i = 0; i < regime.items; ++i) {
    const auto [one, other] =
        regime.verdicts ? draw_verdicts(regime, random.random()) : draw_values(regime, random);
    first.emplace_back(one);
    second.emplace_back(other);
  }
  return series(regime.verdicts ? "acc" : "score", std::move(first), std::move(second));
}

void Record::add(double low, double high, double truth, double p) {
  ++intervals;
  covered += low <= truth && truth <= high ? 1 : 0;
  found += p < 1 - kLevel ? 1 : 0;
  width += high - low;
}

double Record::coverage() const {
  return static_cast<double>(covered) / static_cast<double>(intervals);
}

std::vector<Records> run_simulation(std::size_t pairs, std::int64_t seed) {
  base::PythonRandom random(seed);
  std::vector<Records> all;
  for (const Regime& regime : regimes()) {
    Records& records = all.emplace_back();
    for (std::size_t i = 0; i < pairs; ++i)
      add_pair(simulate(regime, random), regime.second - regime.first, records);
  }
  return all;
}

std::string simulation_table(const std::vector<Records>& records) {
  std::string text =
      "| n | A | B | r | paired: covers | width | found | unpaired: covers | width | found |\n"
      "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  const auto cells = [](const Record& record) {
    const auto n = static_cast<double>(record.intervals);
    return fmt::format("{:.1f} % | {:.3f} | {:.1f} %", 100 * record.coverage(), record.width / n,
                       100 * static_cast<double>(record.found) / n);
  };
  const std::vector<Regime> all = regimes();
  for (std::size_t i = 0; i < all.size(); ++i)
    text += fmt::format("| {} | {:.2f}{} | {:.2f} | {:.2f} | {} | {} |\n", all[i].items,
                        all[i].first, all[i].verdicts ? "" : " (values)", all[i].second,
                        all[i].correlation, cells(records[i].paired), cells(records[i].unpaired));
  return text;
}

}  // namespace tare::test
