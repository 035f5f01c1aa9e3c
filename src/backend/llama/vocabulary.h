#pragma once

#include "core/tokenizer.h"

struct llama_vocab;

namespace tare::backend::llama {

/// The tokenizer inside a model file.
class Vocabulary : public core::Tokenizer {
 public:
  /// `vocab` belongs to a model that outlives this.
  explicit Vocabulary(const llama_vocab* vocab) : vocab_(vocab) {}
  [[nodiscard]] std::vector<core::Token> encode(std::string_view text,
                                                bool specials) const override;
  [[nodiscard]] std::optional<core::Token> prefix_token() const override;
  [[nodiscard]] std::string prefix_text() const override;
  [[nodiscard]] std::string decode(std::span<const core::Token> tokens,
                                   bool specials) const override;
  [[nodiscard]] std::string end_text() const override;
  /// The bytes of one token, special or not; they may begin or end inside a character.
  [[nodiscard]] std::string piece(core::Token token) const;
  /// One of the tokens at which a model ends its answer (a vocabulary may have several).
  [[nodiscard]] bool ends_answer(core::Token token) const;
  /// The number of tokens, and of logits in a row.
  [[nodiscard]] std::size_t size() const;

 private:
  const llama_vocab* vocab_;
};

}  // namespace tare::backend::llama
