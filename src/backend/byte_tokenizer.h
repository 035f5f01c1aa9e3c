#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tokenizer.h"

namespace tare::backend {

/// Bytes as tokens, for backends that take text and show no token ids: requests travel as text
/// through what is made for tokens. The prefix token has no text.
class ByteTokenizer final : public core::Tokenizer {
 public:
  [[nodiscard]] std::vector<core::Token> encode(std::string_view text, bool) const override;
  [[nodiscard]] std::optional<core::Token> prefix_token() const override;
  [[nodiscard]] std::string prefix_text() const override { return ""; }
  [[nodiscard]] std::string decode(std::span<const core::Token> tokens, bool) const override;
  [[nodiscard]] std::string end_text() const override { return ""; }
};

/// The text of a ByteTokenizer's tokens.
std::string bytes_text(std::span<const core::Token> tokens);

}  // namespace tare::backend
