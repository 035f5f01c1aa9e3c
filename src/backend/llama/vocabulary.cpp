#include "backend/llama/vocabulary.h"

#include <llama.h>

#include <cstdint>
#include <limits>

#include "backend/llama/lossy_utf8.h"
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

/// What `write` puts into memory of a given size; it returns the length, or minus the length when
/// the memory is too small.
template <class Write>
std::string fill_text(std::size_t guess, const Write& write) {
  std::string text(guess + 16, '\0');
  std::int32_t length = write(text.data(), static_cast<std::int32_t>(text.size()));
  if (length < 0) {
    text.resize(static_cast<std::size_t>(-length));
    length = write(text.data(), static_cast<std::int32_t>(text.size()));
  }
  text.resize(static_cast<std::size_t>(std::max(length, 0)));
  return text;
}

/// U+FFFD in place of bytes that are no UTF-8.
std::string repaired(std::string_view text) {
  return base::unicode::to_utf8(base::unicode::to_utf32(text));
}

}  // namespace

Vocabulary::Vocabulary(const llama_model& model)
    : vocab_(llama_model_get_vocab(&model)), cuts_(text_cuts(model)) {
  if (!cuts_.at_line_feed) return;
  for (std::size_t c = 0; c < alone_.size(); ++c) {
    const char character = static_cast<char>(c);
    if (is_word(character)) alone_[c] = encode({&character, 1}, false).size();
  }
}

std::vector<core::Token> Vocabulary::encode(std::string_view text, bool specials) const {
  if (base::unicode::valid(text)) return tokenize(vocab_, text, specials);
  // llama.cpp throws on some bytes that are no UTF-8.
  return tokenize(vocab_, repaired(text), specials);
}

std::size_t Vocabulary::last_cut(std::string_view text, std::size_t limit) const {
  return cuts_.last(text, limit);
}

std::vector<core::Token> Vocabulary::encode_behind(std::string_view text, std::size_t cut) const {
  // At the begin of a text some vocabularies insert a space; the character before the cut prevents
  // that, and is cut off by the same rule.
  std::vector<core::Token> tokens = encode(text.substr(cut - 1), false);
  const std::size_t before = alone_[static_cast<unsigned char>(text[cut - 1])];
  tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(before));
  return tokens;
}

std::optional<core::Token> Vocabulary::prefix_token() const {
  for (const llama_token token : {llama_vocab_bos(vocab_), llama_vocab_eos(vocab_)})
    if (token != LLAMA_TOKEN_NULL) return token;
  return std::nullopt;
}

std::string Vocabulary::prefix_text() const {
  const auto token = prefix_token();
  return token ? piece(*token) : "";
}

std::string Vocabulary::decode(std::span<const core::Token> tokens, bool specials) const {
  const std::string text = fill_text(tokens.size() * 8, [&](char* out, std::int32_t size) {
    return llama_detokenize(vocab_, tokens.data(), static_cast<std::int32_t>(tokens.size()), out,
                            size, false, specials);
  });
  // A character may be cut off. transformers marks it once, or with single-byte tokens each byte.
  if (base::unicode::valid(text)) return text;
  return llama_vocab_type(vocab_) == LLAMA_VOCAB_TYPE_SPM ? repaired(text) : lossy_utf8(text);
}

std::string Vocabulary::end_text() const {
  const llama_token token = llama_vocab_eos(vocab_);
  return token == LLAMA_TOKEN_NULL ? "" : piece(token);
}

std::string Vocabulary::piece(core::Token token) const {
  return fill_text(64, [&](char* out, std::int32_t size) {
    return llama_token_to_piece(vocab_, token, out, size, 0, true);
  });
}

bool Vocabulary::ends_answer(core::Token token) const {
  return llama_vocab_is_eog(vocab_, token);
}

std::size_t Vocabulary::size() const {
  return static_cast<std::size_t>(llama_vocab_n_tokens(vocab_));
}

}  // namespace tare::backend::llama
