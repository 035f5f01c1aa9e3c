#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "study/design.h"
#include "study/selection.h"

namespace tare::study {

/// One run of a study. Models, backends and benchmarks are places in the design's lists.
struct Cell {
  std::size_t model = 0, backend = 0;
  std::string mode;
  std::size_t repetition = 0;  ///< from 0
  std::size_t benchmark = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Answers to each item in a mode: one where they are greedy.
std::size_t repetitions_of(const Design& design, const std::string& mode);

/// All cells, those of one model and backend in a row.
std::vector<Cell> cells_of(const Design& design);

/// "small/hf/fix/mmlu/2", repetitions from 1.
std::string cell_name(const Design& design, const Cell& cell);

/// Below the study's folder.
std::filesystem::path cell_folder(const Design& design, const Cell& cell);

/// The words of the `tare run` that fills a cell, but for where its results go. Repetitions differ
/// in the third --seed alone. `selection`: the documents; null for all.
base::Result<std::vector<std::string>> run_words(const Design& design, const Cell& cell,
                                                 const Selection* selection);

/// The words that name the tasks of a benchmark and their data, without model or documents.
std::vector<std::string> task_words(const Design& design, const Benchmark& benchmark);

}  // namespace tare::study
