#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model_shape.h"
#include "core/task.h"
#include "plan/plan.h"

namespace tare::plan {

/// What a model has to compute: each shared beginning once; filling and probes are not in here.
/// Answers are taken to be as long as they may be.
struct Work {
  std::size_t scored = 0;      ///< tokens of texts to score
  std::size_t prompts = 0;     ///< tokens of prompts
  std::size_t answers = 0;     ///< generated ones
  std::size_t new_tokens = 0;  ///< of all answers
  std::size_t attended = 0;  ///< Σ over tokens of those that they attend to, themselves among them
  std::size_t logit_rows = 0;  ///< tokens whose successor is predicted

  /// Tokens that go through the layers: an answer's last one does not.
  [[nodiscard]] std::size_t tokens() const { return scored + prompts + new_tokens - answers; }
  Work& operator+=(const Work& other);
};

/// Of each task. `scored` and `generated`: positions in `plan.requests`, in the plan's order; a
/// beginning that tasks share counts for the first one.
std::vector<Work> work_of(const Plan& plan, std::span<const core::BuiltTask> tasks,
                          const std::vector<std::size_t>& scored,
                          const std::vector<std::size_t>& generated);

/// Floating-point operations, a multiplication and an addition being two:
/// 2·(layer weights·tokens + projection weights·rows of logits + attention width·attended tokens).
/// A weight is met once by each token (Kaplan et al. 2020, arXiv 2001.08361, table 1); attention
/// multiplies each query with the keys, and the values with the result, of all tokens up to its own
/// (Hoffmann et al. 2022, arXiv 2203.15556, appendix F, there over the whole sequence), as it is
/// computed where a sliding window hides some of them. Softmax, norms and rotations, which are less
/// than a hundredth, are not counted.
double flops(const Work& work, const core::ModelShape& shape);

}  // namespace tare::plan
