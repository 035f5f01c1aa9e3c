#pragma once

#include <cstddef>
#include <vector>

#include "backend/llama/prefix_tree.h"

namespace tare::backend::llama {

/// A step of a walk: all but the first `begin` tokens are dropped, then tokens[begin, end) of
/// `item` are appended.
struct Piece {
  std::size_t item = 0;
  std::size_t begin = 0, end = 0;
  std::vector<Read> reads{};  ///< begin ≤ position < end, by position
};

/// The way through a subtree, depth first, in one stream of a KV cache: each piece goes on to a
/// leaf from the last branch before it, so that no token is computed twice and nothing is copied.
/// `begin`: where the first piece begins; the tokens before it stand in the stream already.
std::vector<Piece> walk(const PrefixTree& tree, std::size_t segment, std::size_t begin);

/// The leaves below each segment, itself included if it is one.
std::vector<std::size_t> count_leaves(const PrefixTree& tree);

}  // namespace tare::backend::llama
