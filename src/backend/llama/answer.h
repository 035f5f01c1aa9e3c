#pragma once

#include <optional>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/llama/sampler.h"
#include "backend/llama/stop_matcher.h"
#include "backend/llama/vocabulary.h"

namespace tare::backend::llama {

/// An answer while it grows, token by token.
class Answer {
 public:
  /// `room`: tokens it may have, at least 1. `item` and `vocabulary` outlive this.
  Answer(const GenerateItem& item, std::size_t room, const Vocabulary& vocabulary);
  /// Appends the token that follows from a row of logits, unless the answer is complete.
  void grow(std::span<const float> logits);
  [[nodiscard]] bool complete() const { return finish_.has_value(); }
  [[nodiscard]] core::Token last_token() const { return tokens_.back(); }
  /// Where the last token stands, counted from the begin of the prompt.
  [[nodiscard]] std::size_t last_position() const {
    return item_->tokens.size() + tokens_.size() - 1;
  }
  [[nodiscard]] GenerateResult result() const;

 private:
  [[nodiscard]] std::optional<core::FinishReason> reason_to_end();

  const GenerateItem* item_;
  std::size_t room_;
  const Vocabulary* vocabulary_;
  Sampler sampler_;
  StopMatcher stops_;
  std::vector<core::Token> tokens_;
  std::optional<core::FinishReason> finish_;
};

}  // namespace tare::backend::llama
