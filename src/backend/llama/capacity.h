#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/llama/prefix_tree.h"

namespace tare::backend::llama {

/// Items that are scored in one context: the size of its streams suits them.
struct CapacityGroup {
  std::size_t capacity = 0;  ///< tokens that a stream must hold, padding included
  std::vector<std::size_t> items;
};

/// The size of a stream that is made for `tokens`: some steps above, so that few sizes occur.
std::size_t stream_capacity(std::size_t tokens);

/// Most memory for the KV cache, when `available` bytes are free before `weights` are loaded: a
/// quarter of what is left, so that others on the machine keep theirs. 1 GiB where that is unknown.
std::size_t cache_budget(std::size_t available, std::size_t weights);

/// Splits the items by the stream size they need, the largest first, so that too little memory
/// shows at once. Those that share a long prefix stay together. Copying a prefix from stream to
/// stream copies the whole stream, so that one long item would make all short ones slow.
std::vector<CapacityGroup> group_by_capacity(const PrefixTree& tree,
                                             std::span<const ScoreItem> items, std::size_t tile);

}  // namespace tare::backend::llama
