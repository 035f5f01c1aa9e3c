#include <algorithm>
#include <cmath>
#include <set>

#include "study/compare.h"

namespace tare::study {
namespace {

/// Metrics of one benchmark in the order of their names, those of items first.
void add_measures(std::size_t benchmark, const Observations& observations,
                  std::vector<Measure>& measures) {
  std::set<std::string> items, pooled;
  for (const Measured& cell : observations.cells) {
    if (cell.cell.benchmark != benchmark) continue;
    for (const auto& entry : cell.items) items.insert(entry.first);
    for (const auto& entry : cell.pooled) pooled.insert(entry.first);
  }
  for (const std::string& metric : items) measures.push_back({benchmark, metric, false});
  for (const std::string& metric : pooled)
    if (!items.contains(metric)) measures.push_back({benchmark, metric, true});
}

}  // namespace

Grid::Grid(const Design& design, const Observations& observations) : design_(design) {
  for (const Measured& cell : observations.cells)
    cells_[{cell.cell.model, cell.cell.backend, cell.cell.mode, cell.cell.benchmark}].push_back(
        &cell);
  for (auto& [key, cells] : cells_)
    std::ranges::sort(cells, {}, [](const Measured* one) { return one->cell.repetition; });
  for (std::size_t i = 0; i < design.benchmarks.size(); ++i)
    add_measures(i, observations, measures_);
}

std::vector<const Measured*> Grid::repetitions(std::size_t model, std::size_t backend,
                                               const std::string& mode,
                                               std::size_t benchmark) const {
  const auto found = cells_.find({model, backend, mode, benchmark});
  return found == cells_.end() ? std::vector<const Measured*>() : found->second;
}

std::vector<std::vector<double>> Grid::values(std::size_t model, std::size_t backend,
                                              const std::string& mode,
                                              const Measure& measure) const {
  const stats::Ideal ideal = ideal_of(design_, measure.metric);
  std::vector<std::vector<double>> all;
  for (const Measured* cell : repetitions(model, backend, mode, measure.benchmark)) {
    std::vector<double> raw;
    if (const auto pooled = cell->pooled.find(measure.metric);
        measure.pooled && pooled != cell->pooled.end())
      raw = {pooled->second};
    if (const auto items = cell->items.find(measure.metric);
        !measure.pooled && items != cell->items.end())
      raw = items->second;
    if (raw.empty()) continue;
    std::ranges::transform(raw, raw.begin(),
                           [&](double value) { return stats::calibrate(value, ideal); });
    all.push_back(std::move(raw));
  }
  return all;
}

std::optional<double> Grid::score(std::size_t model, std::size_t backend, const std::string& mode,
                                  const Measure& measure) const {
  const auto all = values(model, backend, mode, measure);
  if (all.empty()) return std::nullopt;
  double sum = 0;
  std::size_t items = 0;
  for (std::size_t i = 0; i < all.front().size(); ++i) {
    double item = 0;
    std::size_t answers = 0;
    for (const auto& repetition : all) {
      if (std::isnan(repetition[i])) continue;
      item += repetition[i];
      ++answers;
    }
    if (answers == 0) continue;
    sum += item / static_cast<double>(answers);
    ++items;
  }
  if (items == 0) return std::nullopt;
  return sum / static_cast<double>(items);
}

}  // namespace tare::study
