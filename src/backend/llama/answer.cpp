#include "backend/llama/answer.h"

namespace tare::backend::llama {

Answer::Answer(const GenerateItem& item, std::size_t room, const Vocabulary& vocabulary)
    : item_(&item),
      room_(room),
      vocabulary_(&vocabulary),
      sampler_(*item.settings, item.seed, item.tokens),
      stops_(item.settings->until) {}

void Answer::grow(std::span<const float> logits) {
  if (complete()) return;
  tokens_.push_back(sampler_.choose(logits));
  finish_ = reason_to_end();
}

std::optional<core::FinishReason> Answer::reason_to_end() {
  if (vocabulary_->ends_answer(last_token())) return core::FinishReason::end_of_sequence;
  if (stops_.add(vocabulary_->piece(last_token()))) return core::FinishReason::stop_string;
  if (tokens_.size() >= room_) return core::FinishReason::length;
  return std::nullopt;
}

GenerateResult Answer::result() const {
  return {item_->id, core::Generated{vocabulary_->decode(tokens_, false), tokens_,
                                     finish_.value_or(core::FinishReason::length)}};
}

}  // namespace tare::backend::llama
