#include "backend/llama/vocabulary.h"

#include <llama.h>

#include <cstdint>
#include <limits>

#include "base/unicode.h"

namespace tare::backend::llama {

namespace {

std::vector<core::Token> tokenize(const llama_vocab* vocab, std::string_view text, bool specials) {
  const auto length = static_cast<std::int32_t>(
      std::min<std::size_t>(text.size(), std::numeric_limits<std::int32_t>::max() / 2));
  std::vector<core::Token> tokens(static_cast<std::size_t>(length / 2) + 8);
  const auto run = [&] {
    return llama_tokenize(vocab, text.data(), length, tokens.data(),
                          static_cast<std::int32_t>(tokens.size()), specials, true);
  };
  std::int32_t count = run();
  if (count < 0 && count != std::numeric_limits<std::int32_t>::min()) {
    tokens.resize(static_cast<std::size_t>(-count));
    count = run();
  }
  tokens.resize(static_cast<std::size_t>(std::max(count, 0)));
  return tokens;
}

}  // namespace

std::vector<core::Token> Vocabulary::encode(std::string_view text, bool specials) const {
  if (base::unicode::valid(text)) return tokenize(vocab_, text, specials);
  // llama.cpp throws on some bytes that are no UTF-8.
  const std::string repaired = base::unicode::to_utf8(base::unicode::to_utf32(text));
  return tokenize(vocab_, repaired, specials);
}

std::optional<core::Token> Vocabulary::prefix_token() const {
  for (const llama_token token : {llama_vocab_bos(vocab_), llama_vocab_eos(vocab_)})
    if (token != LLAMA_TOKEN_NULL) return token;
  return std::nullopt;
}

std::string Vocabulary::prefix_text() const {
  const auto token = prefix_token();
  if (!token) return "";
  std::string text(64, '\0');
  const std::int32_t length = llama_token_to_piece(vocab_, *token, text.data(),
                                                   static_cast<std::int32_t>(text.size()), 0, true);
  text.resize(static_cast<std::size_t>(std::max(length, 0)));
  return text;
}

std::size_t Vocabulary::size() const {
  return static_cast<std::size_t>(llama_vocab_n_tokens(vocab_));
}

}  // namespace tare::backend::llama
