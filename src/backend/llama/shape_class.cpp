#include "backend/llama/shape_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tare::backend::llama {
namespace {

constexpr std::array<std::size_t, 3> kTiles{8, 16, 32};

}  // namespace

std::string class_name(const ShapeClass& shape) {
  if (shape.alone) return "one sequence at a time";
  if (shape.grain == shape.tile) return fmt::format("tile {}", shape.tile);
  return fmt::format("tile {}, grain {}", shape.tile, shape.grain);
}

std::optional<ShapeClass> narrower(ShapeClass shape) {
  if (shape.alone) return std::nullopt;
  const auto* next = std::ranges::upper_bound(kTiles, shape.tile);
  if (shape.grain != shape.tile) {
    shape.grain = shape.tile;
  } else if (next != kTiles.end()) {
    shape.tile = shape.grain = *next;
  } else {
    shape.alone = true;
  }
  return shape;
}

}  // namespace tare::backend::llama
