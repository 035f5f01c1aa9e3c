#pragma once

#include <cstddef>

namespace tare::core {

/// How much a model computes for a token, in numbers of its weights.
struct ModelShape {
  /// Of the matrices that a token is multiplied with on its way through the layers: of experts the
  /// share that is chosen; look-up tables are none of them.
  std::size_t layer_weights = 0;
  std::size_t projection_weights = 0;  ///< of the matrix that makes a row of logits
  /// Σ over layers of heads × (length of a key + length of a value).
  std::size_t attention_width = 0;
};

}  // namespace tare::core
