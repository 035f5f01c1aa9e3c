#include "backend/http/llama_server_tokenizer.h"

#include <algorithm>
#include <iterator>

namespace tare::backend::http {

using core::Token;

base::Result<std::unique_ptr<LlamaServerTokenizer>> LlamaServerTokenizer::open(
    std::shared_ptr<Client> client, const llama_server::Props& props) {
  TARE_TRY(auto remote, RemoteTokenizer::open(std::move(client), llama_tokenize()));
  std::unique_ptr<LlamaServerTokenizer> tokenizer(new LlamaServerTokenizer(std::move(remote)));
  tokenizer->bos_ = tokenizer->token_of(props.bos_text);
  tokenizer->eos_ = tokenizer->token_of(props.eos_text);
  TARE_CHECK(tokenizer->status());
  tokenizer->prefix_ = tokenizer->bos_ ? tokenizer->bos_ : tokenizer->eos_;
  if (tokenizer->prefix_)
    tokenizer->prefix_text_ = tokenizer->bos_ ? props.bos_text : props.eos_text;
  if (tokenizer->eos_) tokenizer->end_text_ = props.eos_text;
  return tokenizer;
}

std::optional<Token> LlamaServerTokenizer::token_of(const std::string& text) const {
  if (text.empty()) return std::nullopt;
  const std::vector<Token> tokens = encode(text, false);
  return tokens.size() == 1 ? std::optional(tokens[0]) : std::nullopt;
}

std::string LlamaServerTokenizer::decode(std::span<const Token> tokens, bool specials) const {
  std::vector<Token> shown;
  std::ranges::copy_if(tokens, std::back_inserter(shown),
                       [&](Token token) { return specials || (token != bos_ && token != eos_); });
  return remote_->decode(shown, specials);
}

}  // namespace tare::backend::http
