#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/request.h"

namespace tare::core {

/// A text, and whether it gets what the tokenizer adds by default.
struct ForeseenText {
  std::string text;
  bool specials = false;
};

/// Text to token ids, as the model's own tokenizer does it. Implemented by backends.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  /// `specials`: add what the tokenizer adds by default (BOS). Special-token text such as
  /// "<|im_end|>" inside `text` is always read as that token, as Hugging Face tokenizers do.
  [[nodiscard]] virtual std::vector<Token> encode(std::string_view text, bool specials) const = 0;
  /// The last place in [1, limit] where `text` may be cut: there the tokens of the whole are
  /// encode() of what stands before, then encode_behind(). 0: none, or not known.
  [[nodiscard]] virtual std::size_t last_cut(std::string_view /*text*/,
                                             std::size_t /*limit*/) const {
    return 0;
  }
  /// The tokens of text[cut..] as they stand in those of the whole. `cut` is one of last_cut's.
  [[nodiscard]] virtual std::vector<Token> encode_behind(std::string_view text,
                                                         std::size_t cut) const {
    return encode(text.substr(cut), false);
  }
  /// The token that stands before an empty context: BOS, else EOS.
  [[nodiscard]] virtual std::optional<Token> prefix_token() const = 0;
  /// The text of that token, "" if there is none.
  [[nodiscard]] virtual std::string prefix_text() const = 0;
  /// About how many texts it wants to hear of before they are encoded, as it can then ask for them
  /// side by side; 0: none.
  [[nodiscard]] virtual std::size_t foresight() const { return 0; }
  /// Texts that encode() will be asked for next. Those of the last call are forgotten.
  virtual void foresee(std::span<const ForeseenText> /*texts*/) const {}
  /// The text of tokens; special ones are left out unless `specials`.
  [[nodiscard]] virtual std::string decode(std::span<const Token> tokens, bool specials) const = 0;
  /// The text of the token that ends an answer, "" if there is none.
  [[nodiscard]] virtual std::string end_text() const = 0;
  /// Why texts have come back empty from a tokenizer that can fail, one behind a server.
  [[nodiscard]] virtual base::Status status() const { return {}; }
};

}  // namespace tare::core
