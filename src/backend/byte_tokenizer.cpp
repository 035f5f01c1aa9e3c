#include "backend/byte_tokenizer.h"

#include <algorithm>

namespace tare::backend {
namespace {

constexpr core::Token kPrefixToken = 256;

}  // namespace

std::string bytes_text(std::span<const core::Token> tokens) {
  std::string text;
  text.reserve(tokens.size());
  for (const core::Token token : tokens)
    if (token < kPrefixToken) text += static_cast<char>(token);
  return text;
}

std::vector<core::Token> ByteTokenizer::encode(std::string_view text, bool) const {
  std::vector<core::Token> tokens(text.size());
  std::transform(text.begin(), text.end(), tokens.begin(),
                 [](char c) { return core::Token{static_cast<unsigned char>(c)}; });
  return tokens;
}

std::optional<core::Token> ByteTokenizer::prefix_token() const {
  return kPrefixToken;
}

std::string ByteTokenizer::decode(std::span<const core::Token> tokens, bool) const {
  return bytes_text(tokens);
}

}  // namespace tare::backend
