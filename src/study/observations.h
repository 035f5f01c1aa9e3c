#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "study/cells.h"
#include "study/design.h"

namespace tare::study {

/// A document of a benchmark.
struct Item {
  std::string task;
  std::int64_t document = 0;
  std::string cluster;  ///< items of one cluster are not independent
  std::string hash;     ///< of the document

  [[nodiscard]] std::string name() const { return task + "/" + std::to_string(document); }
};

/// What one run measured: raw values.
struct Measured {
  Cell cell;
  /// By metric: of each item of the benchmark; NaN where it has none.
  std::map<std::string, std::vector<double>> items;
  std::vector<std::optional<std::string>> texts;  ///< of each item the answer that was scored
  /// By metric: values over all items that are no means of them, such as ratios of counts.
  std::map<std::string, double> pooled;
  std::size_t answers = 0;                      ///< items that were asked
  std::size_t failed = 0;                       ///< of these, items without a score
  std::map<std::string, std::size_t> failures;  ///< their reasons
  std::size_t unparsable = 0;                   ///< answers that the task's grammar does not know
};

struct Observations {
  std::vector<std::vector<Item>> items;  ///< of each benchmark of the design
  std::vector<Measured> cells;
  std::vector<std::string> notes;  ///< what had to be left out, and why
};

/// Reads the finished runs of a study. Error: a folder that holds none, or another document under
/// the same number than elsewhere in the study.
base::Result<Observations> observe(const Design& design, std::span<const Cell> finished);

/// True of metrics that say nothing of how right an answer is, only whether it could be read.
bool is_diagnostic(std::string_view metric);

}  // namespace tare::study
