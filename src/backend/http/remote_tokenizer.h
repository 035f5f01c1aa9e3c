#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/http/client.h"
#include "core/tokenizer.h"

namespace tare::backend::http {

/// How a server's tokenizer is asked.
struct TokenizeApi {
  /// Its answer holds the ids under "tokens".
  std::function<Call(std::string_view text, bool specials)> encode;
  /// Its answer holds the text under `text_key`.
  std::function<Call(std::span<const core::Token> tokens)> decode;
  std::string text_key;
};

/// vLLM's /tokenize and /detokenize.
TokenizeApi vllm_tokenize(const std::string& model);
/// llama-server's.
TokenizeApi llama_tokenize();

/// A server's own tokenizer, asked text by text. It cannot return an error where one is found:
/// trouble() tells of the first one, and what was encoded since is worth nothing.
class RemoteTokenizer final : public core::Tokenizer {
 public:
  /// Asks whether there is such a tokenizer. Error: none, or it does not work on plain text.
  static base::Result<std::shared_ptr<RemoteTokenizer>> open(std::shared_ptr<Client> client,
                                                             TokenizeApi api);

  [[nodiscard]] std::vector<core::Token> encode(std::string_view text,
                                                bool specials) const override;
  [[nodiscard]] std::optional<core::Token> prefix_token() const override { return prefix_; }
  [[nodiscard]] std::string prefix_text() const override { return prefix_text_; }
  /// Special tokens are as the server shows them, whatever `specials` says.
  [[nodiscard]] std::string decode(std::span<const core::Token> tokens,
                                   bool specials) const override;
  [[nodiscard]] std::string end_text() const override { return ""; }
  [[nodiscard]] base::Status trouble() const { return trouble_; }

 private:
  RemoteTokenizer(std::shared_ptr<Client> client, TokenizeApi api);
  [[nodiscard]] base::Result<base::Value> ask(const Call& call) const;
  [[nodiscard]] base::Result<std::vector<core::Token>> tokens_of(std::string_view text,
                                                                 bool specials) const;

  std::shared_ptr<Client> client_;
  TokenizeApi api_;
  std::optional<core::Token> prefix_;
  std::string prefix_text_;
  mutable base::Status trouble_;
};

}  // namespace tare::backend::http
