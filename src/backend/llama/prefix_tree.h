#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "backend/backend.h"

namespace tare::backend::llama {

inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// A row whose logits are needed: the row of token `position` gives log p of `item`'s next token.
struct Read {
  std::size_t position = 0;
  std::size_t item = 0;
};

/// A run of tokens that is computed once for all items that pass through it: tokens[begin, end) of
/// `item`, after those of its parents.
struct Segment {
  std::size_t parent = kNone;
  std::size_t item = 0;
  std::size_t begin = 0, end = 0;
  std::vector<std::size_t> children{};
  std::vector<Read> reads{};  ///< by position, then item; begin ≤ position < end

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// The shared prefixes of a set of items. Each item's inputs (all tokens but the last, which is
/// only predicted) are one path from a root; an item that is a prefix of another one lies on its
/// path.
struct PrefixTree {
  std::vector<Segment> segments;
  std::vector<std::size_t> roots;
};

/// Every run of tokens that items share is one segment. `share` off: one path per distinct item.
PrefixTree build_prefix_tree(std::span<const ScoreItem> items, bool share = true);

}  // namespace tare::backend::llama
