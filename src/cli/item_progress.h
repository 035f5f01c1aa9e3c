#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/floor_item_plan.h"
#include "cli/floor_plan.h"

namespace tare::cli {

/// Tells how far the items of a grid are and how long they will take: what was expected, corrected
/// by how long the rows before took.
class ItemProgress {
 public:
  ItemProgress(const FloorPlan& plan, const ItemPlan& items, bool quiet);

  /// A row of a file is about to be asked. One that was begun before, and may be done, teaches
  /// nothing of the time that others take.
  void begin(std::size_t file, const ItemRow& row, bool begun_before);
  /// It has ended; `fault`: why it has no answers, or "".
  void done(const std::string& fault);

 private:
  struct Work {
    std::size_t file;
    const ItemRow* row;
    double seconds;  ///< expected
  };
  [[nodiscard]] double correction() const;

  const FloorPlan& plan_;
  std::vector<Work> work_;
  std::size_t now_ = 0;
  bool teaches_ = false;
  double expected_ = 0, taken_ = 0;  ///< seconds of rows that teach
  std::chrono::steady_clock::time_point start_;
  bool quiet_;
};

}  // namespace tare::cli
