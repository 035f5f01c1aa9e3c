#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "cli/floor_plan.h"
#include "cli/floor_run.h"

namespace tare::cli {

/// Tells how far a grid is and how long it will take. What was computed before is no work.
class FloorProgress {
 public:
  FloorProgress(const FloorPlan& plan, const FloorRows& rows, bool quiet);
  /// `windows` of a row were computed in so many seconds, its load among them, or have failed.
  void done(const FloorRow& row, std::size_t windows, double seconds);

 private:
  [[nodiscard]] static std::string key(const FloorRow& row);
  [[nodiscard]] std::optional<double> seconds_left() const;

  struct Work {
    std::size_t left = 0;              ///< windows
    std::optional<double> a_window{};  ///< expected seconds, then measured ones
  };
  std::map<std::string, Work> work_;
  std::size_t done_ = 0, total_ = 0;
  bool quiet_;
};

}  // namespace tare::cli
