#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "base/result.h"
#include "core/request.h"

namespace tare::backend::llama {

/// Refuses settings that have no meaning, e.g. sampling at temperature 0.
base::Status check_sampling(const core::GenerationSettings& settings);

/// Chooses the tokens of one answer. The steps are those of transformers' logits processors, in
/// their order: repetition penalty, then for sampling temperature, top_k, top_p, min_p. Without
/// sampling the largest value wins, on ties the lowest id. A setting that is not given is off.
class Sampler {
 public:
  /// `settings` outlives this. The repetition penalty counts the tokens of `prompt` too.
  Sampler(const core::GenerationSettings& settings, std::uint64_t seed,
          std::span<const core::Token> prompt);
  core::Token choose(std::span<const float> logits);

 private:
  [[nodiscard]] core::Token pick(std::span<const float> logits) const;

  const core::GenerationSettings* settings_;
  std::uint64_t seed_ = 0;
  std::uint64_t step_ = 0;
  std::set<core::Token> seen_;  ///< filled for a repetition penalty alone
};

/// The number in [0, 1) that decides step `step` of an answer: the top 53 bits of splitmix64's
/// output function on mix(seed) + (step + 1) · 0x9e3779b97f4a7c15.
double uniform(std::uint64_t seed, std::uint64_t step);

/// Samples from logits at a temperature; `u` in [0, 1) is where the cumulative probability, by
/// token id, is cut.
core::Token sample(std::span<const float> logits, const core::GenerationSettings& settings,
                   double u);

}  // namespace tare::backend::llama
