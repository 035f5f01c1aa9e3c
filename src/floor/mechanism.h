#pragma once

#include <optional>
#include <string>
#include <vector>

#include "floor/findings.h"
#include "report/table.h"

/// Why a file moves as far as it does: the same changes on files of several number formats (source
/// 003: "rounding activations to 8-bit integers turns float32 rounding differences into full
/// quantization steps").
namespace tare::floor {

struct FormatFindings {
  std::string file, model;
  std::size_t compared = 0;             ///< settings with numbers
  std::size_t equal = 0;                ///< of these, equal bit for bit
  std::optional<double> typical;        ///< geometric mean of the mean KL of the common settings
  std::optional<double> times_first{};  ///< over that of the first file
};

struct Mechanism {
  std::vector<std::string> settings;  ///< that move every file
  std::vector<FormatFindings> files;
};

/// None for one file.
std::optional<Mechanism> mechanism_of(const Findings& findings);

/// A row for each file, with the floor and the distance to the first file beside.
report::Table mechanism_table(const Findings& findings, const std::string& id);

}  // namespace tare::floor
