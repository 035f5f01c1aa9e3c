#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "backend/llama/batch.h"
#include "backend/llama/model.h"
#include "base/result.h"
#include "core/manner.h"
#include "core/request.h"

namespace tare::backend::llama {

/// Tokens of one sequence, and from where on their logits are read.
struct Lane {
  std::span<const core::Token> tokens;
  std::size_t read_from = 0;
};

/// Sequences side by side, each with tokens of its own, computed in one manner that is exactly what
/// was asked for: as many rows in a decode as come up, none of them padding.
class Lanes {
 public:
  /// Called with the number of the lane and its next row of logits, position by position.
  using Reader = std::function<void(std::size_t lane, std::span<const float> logits)>;

  /// Room for the manner's sequences of up to `tokens` tokens. `model` outlives this.
  static base::Result<Lanes> open(llama_model& model, const core::Manner& manner,
                                  std::size_t tokens);

  /// Forgets all and computes these; no more than the manner has sequences. A prefix that the
  /// manner keeps, but at most half of the longest lane, is computed by a call of its own.
  base::Status begin(std::span<const Lane> lanes, const Reader& reader);
  /// Computes a token more of some lanes, and reads all of their rows.
  base::Status go_on(std::span<const Row> rows, const Reader& reader);

 private:
  Lanes(ContextPtr context, core::Manner manner, std::size_t width)
      : context_(std::move(context)), manner_(std::move(manner)), width_(width) {}
  base::Status decode(std::span<const Row> rows, const std::vector<bool>& read,
                      const Reader& reader);

  ContextPtr context_;
  core::Manner manner_;
  std::size_t width_;  ///< logits in a row
};

}  // namespace tare::backend::llama
