#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/llama/prefix_tree.h"

namespace tare::backend::llama {

/// Adds up the log-probabilities of each item's tokens as their rows are read. Each item's reads
/// must come in order of position: a sum of floating-point numbers depends on its order.
class ItemSums {
 public:
  explicit ItemSums(std::span<const ScoreItem> items);
  void add(const Read& read, double log_p, bool is_argmax);
  /// The items that were completed since the last call.
  std::vector<ScoreResult> take_finished();
  /// The token that a read is about.
  [[nodiscard]] core::Token target(const Read& read) const {
    return items_[read.item].tokens[read.position + 1];
  }

 private:
  std::span<const ScoreItem> items_;
  std::vector<core::LogLikelihood> sums_;
  std::vector<std::size_t> missing_;  ///< reads to come
  std::vector<ScoreResult> finished_;
};

}  // namespace tare::backend::llama
