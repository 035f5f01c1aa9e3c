#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/llama/schedule.h"

/// The way of single items through tree and schedule, to show to people. Pure.
namespace tare::backend::llama {

/// A run of an item's input tokens that is computed in one piece.
struct PathStep {
  std::size_t begin = 0, end = 0;
  std::size_t items = 0;   ///< whose path it is part of
  std::size_t decode = 0;  ///< which decode of the group computes it first, from 1
  std::size_t rows = 0;    ///< of that decode, padding included, over all its streams
};

struct ItemPath {
  std::size_t capacity = 0;  ///< tokens of the streams of its group
  std::size_t group = 0;     ///< which group of such streams, from 1: large ones come first
  std::size_t decodes = 0;   ///< that the group takes
  std::vector<PathStep> steps;
};

/// The paths of items[chosen], in that order, when all items are scored by these shapes with empty
/// streams.
std::vector<ItemPath> item_paths(std::span<const ScoreItem> items,
                                 std::span<const std::size_t> chosen, const Shape& shape);

}  // namespace tare::backend::llama
