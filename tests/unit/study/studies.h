#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "study/compare.h"
#include "study/design.h"
#include "study/observations.h"

/// Studies made in a test, without files.
namespace tare::test {

inline study::Design small_design() {
  study::Design design;
  design.name = "small";
  design.models = {{"one", {}}, {"two", {}}};
  design.backends = {
      {"base", "scripted:zero", {}}, {"same", "scripted:zero", {}}, {"other", "scripted:zero", {}}};
  design.baseline = "base";
  design.modes = {"deterministic"};
  study::Benchmark benchmark;
  benchmark.name = "quiz";
  benchmark.family = "factual";
  design.benchmarks = {benchmark};
  design.resamples = 200;
  return design;
}

/// Observations of a design whose benchmarks have so many items, without values.
inline study::Observations empty_observations(const study::Design& design, std::size_t items) {
  study::Observations observations;
  observations.items.resize(design.benchmarks.size());
  for (auto& list : observations.items)
    for (std::size_t i = 0; i < items; ++i)
      list.push_back({"quiz", static_cast<std::int64_t>(i), "quiz", "hash"});
  return observations;
}

inline study::Measured& add_cell(study::Observations& observations, const study::Cell& cell) {
  study::Measured measured;
  measured.cell = cell;
  observations.cells.push_back(std::move(measured));
  return observations.cells.back();
}

}  // namespace tare::test
