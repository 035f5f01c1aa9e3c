#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "floor/findings.h"
#include "report/table.h"

/// The whole grid at a glance: settings × files, the mean KL in each cell, the answers that changed
/// beside it.
namespace tare::floor {

struct HeatCell {
  std::string number;          ///< "4.5e-3", "equal", "n/a", "failed", "—"
  std::size_t note = 0;        ///< the note that says why there is no number, from 1; 0: none
  std::string answers{};       ///< "41/600"; "" where no items were asked
  std::optional<int> level{};  ///< how hot, from 0 to kHottest; none without a number above 0
};

inline constexpr int kHottest = 9;

struct HeatRow {
  std::string name, change;
  bool pinned = false;  ///< no part of the floor
  std::vector<HeatCell> cells;
};

struct HeatMap {
  std::vector<std::string> files;
  std::vector<HeatRow> rows;  ///< settings, then each further file against the first one
  std::vector<std::string> notes;
};

HeatMap heat_of(const Findings& findings);

/// 0 at 1e-8 nats and below, then one more for each decade.
int heat_level(double divergence);

report::Table table_of(const HeatMap& map, const std::string& id);
/// A table whose cells are colored; the numbers say the same without color.
std::string html(const HeatMap& map);

}  // namespace tare::floor
