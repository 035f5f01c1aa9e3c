#pragma once

#include <array>

#include "backend/llama/text_cuts.h"
#include "core/tokenizer.h"

struct llama_model;
struct llama_vocab;

namespace tare::backend::llama {

/// The tokenizer inside a model file.
class Vocabulary : public core::Tokenizer {
 public:
  /// `model` outlives this.
  explicit Vocabulary(const llama_model& model);
  [[nodiscard]] std::vector<core::Token> encode(std::string_view text,
                                                bool specials) const override;
  [[nodiscard]] std::size_t last_cut(std::string_view text, std::size_t limit) const override;
  [[nodiscard]] std::vector<core::Token> encode_behind(std::string_view text,
                                                       std::size_t cut) const override;
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
  TextCuts cuts_;
  std::array<std::size_t, 128> alone_{};  ///< tokens of each ASCII character by itself
};

}  // namespace tare::backend::llama
