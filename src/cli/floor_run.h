#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/floor_options.h"
#include "cli/floor_plan.h"
#include "floor/window_text.h"

namespace tare::cli {

/// What is computed for a file: its reference, a setting, or the reference of a further file held
/// against the first one's.
struct FloorRow {
  std::size_t file = 0;  ///< that is computed
  std::size_t base = 0;  ///< whose reference it is compared with; for a reference itself
  std::string name;      ///< "reference", of a setting, "pair"
  core::Manner manner;
  std::string fault;  ///< why it is not whole; "" if it is, or was not tried
  /// By the number of the window.
  std::map<std::size_t, floor::WindowResult> windows;

  [[nodiscard]] bool is_reference() const;
};

/// All rows that this machine can compute, file by file, each file's reference first.
struct FloorRows {
  std::vector<FloorRow> rows;

  [[nodiscard]] const FloorRow* find(std::size_t file, const std::string& name) const;
};

inline constexpr const char* kReferenceRow = "reference";
inline constexpr const char* kPairRow = "pair";

/// Computes what the output folder does not hold yet. A row that fails is named and does not hold
/// up the others. Errors: an output folder that cannot be used, the user's wish to stop.
base::Result<FloorRows> run_floor(const FloorPlan& plan, const FloorOptions& options,
                                  const std::stop_token& stop);

}  // namespace tare::cli
