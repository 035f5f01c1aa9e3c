#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/llama/prefix_tree.h"

/// Which tokens are computed in which decode, in which stream of the KV cache. Pure: what is
/// planned here can be followed and checked without a model.
namespace tare::backend::llama {

/// The shapes that decodes may have.
struct Shape {
  std::size_t tile = 8;          ///< rows of a decode, and outputs, come in multiples of this
  std::size_t grain = 2;         ///< rows of a stream come in multiples of this; divides `tile`
  std::size_t rows = 512;        ///< most rows in a decode; at least `tile`
  std::size_t outputs = 256;     ///< most rows in a decode whose logits are kept; at least `tile`
  std::size_t streams = 24;      ///< streams 0 .. streams-1
  std::size_t capacity = kNone;  ///< tokens that a stream holds: the longest item's and a tile
  /// The last tokens of a stream can be dropped. If not (recurrent models), the tree shares nothing
  /// and a stream is emptied for each item.
  bool cuttable = true;
};

/// The first `tokens` tokens of one stream are put into another one.
struct Copy {
  std::size_t from = 0, to = 0;
  std::size_t tokens = 0;
};

/// One stream's part in a decode: all but its first `keep` tokens are dropped, then
/// tokens[keep, keep + count) of `item` are appended. One that computes nothing (count 0) stands
/// between others that do.
struct StreamWork {
  std::size_t stream = 0;
  std::size_t keep = 0;
  std::size_t item = 0;
  std::size_t count = 0;
  std::vector<Read> reads{};  ///< keep ≤ position < keep + count
};

/// Streams of one decode are neighbours (llama.cpp splits a decode over others) and get the same
/// number of rows: their tokens, then padding.
struct Decode {
  std::vector<Copy> copies{};  ///< made first, in this order
  std::size_t rows = 0;        ///< of each stream
  std::vector<StreamWork> work{};
};

/// The tokens that each stream holds.
using Streams = std::vector<std::vector<core::Token>>;

/// Orders the segments of `tree` into decodes. `streams` is what the KV cache holds before, and
/// after the call what it will hold when all is done. Long items come first; with `quick_start` one
/// short path goes before all others, so that a first result comes soon. Each item's reads come in
/// order of position.
std::vector<Decode> make_schedule(const PrefixTree& tree, std::span<const ScoreItem> items,
                                  const Shape& shape, Streams& streams, bool quick_start);

}  // namespace tare::backend::llama
