#include "study/cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"

namespace tare::study {
namespace {

using base::Value;
using Words = std::vector<std::string>;

std::string samples_text(const Selection& selection) {
  base::Dict samples;
  for (const auto& [task, documents] : selection)
    samples.set(task, base::List(documents.begin(), documents.end()));
  return base::json::dump(samples);
}

/// Options that say how prompts are made and where data is.
bool is_of_tasks(const std::string& flag) {
  for (const char* name :
       {"--include-path", "--datasets", "--offline", "--metadata", "--num-fewshot",
        "--allow-python", "--python", "--confirm-run-unsafe-code"})
    if (flag == name) return true;
  return false;
}

void add_flag(Words& words, const std::string& flag, const Words& values) {
  if (values.empty()) words.push_back(flag);
  for (const std::string& value : values) words.push_back(fmt::format("{}={}", flag, value));
}

}  // namespace

std::size_t repetitions_of(const Design& design, const std::string& mode) {
  return mode == kDeterministic ? 1 : design.repetitions;
}

std::vector<Cell> cells_of(const Design& design) {
  std::vector<Cell> cells;
  for (std::size_t model = 0; model < design.models.size(); ++model)
    for (std::size_t backend = 0; backend < design.backends.size(); ++backend) {
      if (!is_for(design.backends[backend], design.models[model])) continue;
      for (const std::string& mode : design.modes)
        for (std::size_t r = 0; r < repetitions_of(design, mode); ++r)
          for (std::size_t benchmark = 0; benchmark < design.benchmarks.size(); ++benchmark)
            cells.push_back({model, backend, mode, r, benchmark});
    }
  return cells;
}

std::string cell_name(const Design& design, const Cell& cell) {
  return fmt::format("{}/{}/{}/{}/{}", design.models[cell.model].name,
                     design.backends[cell.backend].name, cell.mode,
                     design.benchmarks[cell.benchmark].name, cell.repetition + 1);
}

std::filesystem::path cell_folder(const Design& design, const Cell& cell) {
  return design.output / "cells" / cell_name(design, cell);
}

Words task_words(const Design& design, const Benchmark& benchmark) {
  Words words{fmt::format("--tasks={}", fmt::join(benchmark.tasks, ","))};
  for (const auto& [flag, values] : design.flags)
    if (is_of_tasks(flag)) add_flag(words, flag, values);
  return words;
}

base::Result<Words> run_words(const Design& design, const Cell& cell, const Selection* selection) {
  TARE_TRY(const std::string model,
           spelling_of(design.backends[cell.backend], design.models[cell.model]));
  Words words{"--model=" + model};
  for (std::string& word : task_words(design, design.benchmarks[cell.benchmark]))
    words.push_back(std::move(word));
  for (const auto& [flag, values] : design.flags)
    if (!is_of_tasks(flag)) add_flag(words, flag, values);
  words.push_back("--generation-mode=" + cell.mode);
  words.emplace_back("--repetitions=1");
  words.push_back(fmt::format("--seed=0,1234,{},1234",
                              design.seed + static_cast<std::int64_t>(cell.repetition)));
  if (selection != nullptr) words.push_back("--samples=" + samples_text(*selection));
  return words;
}

}  // namespace tare::study
