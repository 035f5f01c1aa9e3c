#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/request.h"

namespace tare::core {

/// Text to token ids, as the model's own tokenizer does it. Implemented by backends.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  /// `specials`: add what the tokenizer adds by default (BOS). Special-token text such as
  /// "<|im_end|>" inside `text` is always read as that token, as Hugging Face tokenizers do.
  [[nodiscard]] virtual std::vector<Token> encode(std::string_view text, bool specials) const = 0;
  /// The token that stands before an empty context: BOS, else EOS.
  [[nodiscard]] virtual std::optional<Token> prefix_token() const = 0;
  /// The text of that token, "" if there is none.
  [[nodiscard]] virtual std::string prefix_text() const = 0;
  /// The text of tokens; special ones are left out unless `specials`.
  [[nodiscard]] virtual std::string decode(std::span<const Token> tokens, bool specials) const = 0;
  /// The text of the token that ends an answer, "" if there is none.
  [[nodiscard]] virtual std::string end_text() const = 0;
};

}  // namespace tare::core
