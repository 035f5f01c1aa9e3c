#pragma once

#include <cstddef>
#include <span>

#include "backend/llama/schedule.h"
#include "backend/llama/walk.h"

namespace tare::backend::llama {

/// What a stream is about to compute: tokens from `at` on, up to its piece's end.
struct Cursor {
  const Piece* piece = nullptr;  ///< none: the stream is idle
  std::size_t at = 0;

  [[nodiscard]] std::size_t rest() const { return piece == nullptr ? 0 : piece->end - at; }
};

/// Streams first .. first+count-1 compute `rows` rows each.
struct Step {
  std::size_t first = 0, count = 0, rows = 0;
};

/// The step that computes the most tokens for its cost, of all that the shape allows. At least one
/// cursor is not idle. Idle streams between others take part, with padding alone; stream 0 never.
Step best_step(std::span<const Cursor> cursors, const Shape& shape);

}  // namespace tare::backend::llama
