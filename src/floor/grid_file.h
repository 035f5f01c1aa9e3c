#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "floor/setting.h"

namespace tare::floor {

/// What a grid file leaves open.
struct GridDefaults {
  std::size_t threads = 1;
  std::size_t window = 512;
  std::vector<std::string> tiers;   ///< all that are known, whether this machine runs them or not
  std::optional<Setting> pinned{};  ///< a pin's reference: then the file names none
};

/// Reads a grid file (docs/formats/floor.md). Errors begin with PLACE:LINE and name the key, what
/// was found and what is wanted.
base::Result<Grid> read_grid(std::string_view text, const std::string& place,
                             const GridDefaults& defaults);

}  // namespace tare::floor
