#include "backend/llama/lockstep.h"

#include <algorithm>
#include <numeric>

namespace tare::backend::llama {
namespace {

/// What a decode costs, in tenths of a row of a long one. Measured: a decode of few rows takes as
/// long as one of 20, because it reads all weights just the same; others take 7 rows more than they
/// have, and 0.4 more for each stream. Counting 15 in place of 7 makes fewer and larger decodes.
std::size_t cost_of(const Step& step) {
  constexpr std::size_t kLeast = 200, kDecode = 150, kStream = 4;
  return std::max(kLeast, 10 * step.count * step.rows + kDecode) + kStream * step.count;
}

std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

/// Rows of which logits are read in the next `count` tokens.
std::size_t outputs_of(const Cursor& cursor, std::size_t count) {
  if (cursor.piece == nullptr) return 0;
  std::size_t outputs = 0, last = kNone;
  for (const Read& read : cursor.piece->reads) {
    if (read.position >= cursor.at + count) break;
    outputs += read.position >= cursor.at && read.position != last;
    last = read.position;
  }
  return outputs;
}

class Chooser {
 public:
  Chooser(std::span<const Cursor> cursors, const Shape& shape)
      : cursors_(cursors), shape_(shape), tokens_(cursors.size()), outputs_(cursors.size()) {}

  Step best() {
    for (const std::size_t rows : candidates()) try_rows(rows);
    return best_;
  }

 private:
  /// Streams of a decode must all have rows in multiples of this.
  [[nodiscard]] std::size_t step_of(std::size_t count) const {
    return std::lcm(shape_.grain, shape_.tile / std::gcd(count, shape_.tile));
  }

  /// Between two numbers of rows at which a piece ends, the larger one is always better.
  [[nodiscard]] std::vector<std::size_t> candidates() const {
    std::vector<std::size_t> rows;
    for (const Cursor& cursor : cursors_)
      for (std::size_t step = shape_.grain;; step = std::min(2 * step, shape_.tile)) {
        if (cursor.piece != nullptr) rows.push_back(round_up(cursor.rest(), step));
        if (step == shape_.tile) break;
      }
    for (std::size_t count = 1; count <= cursors_.size(); ++count)
      for (const std::size_t most : {shape_.rows, shape_.outputs})
        rows.push_back(most / count / step_of(count) * step_of(count));
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }

  void try_rows(std::size_t rows) {
    if (rows == 0 || rows > shape_.rows) return;
    for (std::size_t s = 0; s < cursors_.size(); ++s) {
      tokens_[s] = std::min(cursors_[s].rest(), rows);
      outputs_[s] = outputs_of(cursors_[s], tokens_[s]);
    }
    for (std::size_t first = 0; first < cursors_.size(); ++first)
      if (cursors_[first].piece != nullptr) try_from(first, rows);
  }

  void try_from(std::size_t first, std::size_t rows) {
    std::size_t tokens = 0, outputs = 0;
    const std::size_t most = std::min(cursors_.size() - first, shape_.rows / rows);
    for (std::size_t count = 1; count <= most; ++count) {
      const Cursor& cursor = cursors_[first + count - 1];
      if (cursor.piece == nullptr) continue;
      if (cursor.at + rows > shape_.capacity) return;
      tokens += tokens_[first + count - 1];
      outputs += outputs_[first + count - 1];
      if (outputs > shape_.outputs) return;
      if (rows % step_of(count) == 0) offer({first, count, rows}, tokens);
    }
  }

  void offer(const Step& step, std::size_t tokens) {
    const std::size_t cost = cost_of(step);
    if (tokens * best_cost_ < best_tokens_ * cost) return;
    const bool equal = tokens * best_cost_ == best_tokens_ * cost;
    if (equal && tokens <= best_tokens_) return;
    best_ = step;
    best_tokens_ = tokens;
    best_cost_ = cost;
  }

  std::span<const Cursor> cursors_;
  const Shape& shape_;
  std::vector<std::size_t> tokens_, outputs_;  ///< of each stream, for a number of rows
  Step best_;
  std::size_t best_tokens_ = 0, best_cost_ = 1;
};

}  // namespace

Step best_step(std::span<const Cursor> cursors, const Shape& shape) {
  return Chooser(cursors, shape).best();
}

}  // namespace tare::backend::llama
