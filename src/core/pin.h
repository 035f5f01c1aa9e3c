#pragma once

#include <cstddef>
#include <string>

namespace tare::core {

/// What two runs must have in common for their numbers to be comparable below the noise floor
/// (source 003; docs/formats/pin.md). Threads are not in it: they never matter.
struct Pin {
  std::string release;            ///< of llama.cpp, "b11549"
  std::string tier;               ///< of CPU kernels, "haswell"
  std::size_t micro_batch = 512;  ///< most tokens computed at a time
  bool flash_attention = false;
  bool repack = true;         ///< weights rearranged for the tier's kernels
  bool float32_cache = true;  ///< number format of keys and values: float32, else float16
  bool prefix_reuse = true;   ///< what prompts have in common is computed once
  std::size_t slots = 24;     ///< most sequences side by side

  friend bool operator==(const Pin&, const Pin&) = default;
};

}  // namespace tare::core
