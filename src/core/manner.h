#pragma once

#include <cstddef>
#include <string>

namespace tare::core {

enum class KvType { f16, f32 };

/// How llama.cpp computes on a CPU: what beside the file and the tokens may move its numbers. No
/// member has another meaning than "how it is done"; each value is as right as another one.
struct Manner {
  std::string tier;               ///< of CPU instructions, by the name of its library
  std::size_t threads = 1;        ///< which share the rows of a product
  std::size_t batch = 2048;       ///< most tokens handed over in one call
  std::size_t micro_batch = 512;  ///< most tokens computed at a time
  bool flash_attention = false;   ///< attention in one fused kernel
  bool repack = true;             ///< weights rearranged for the tier's kernels
  KvType kv = KvType::f16;        ///< number format of keys and values
  std::size_t sequences = 1;      ///< side by side, each with as many tokens
  bool unified_kv = false;        ///< sequences share one KV cache
  std::size_t prefix = 0;         ///< tokens computed by a call before, whose KV is kept; 0: none

  friend bool operator==(const Manner&, const Manner&) = default;
};

}  // namespace tare::core
