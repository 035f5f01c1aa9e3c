#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// A server's own tokenizer. No server's takes several texts at once, so texts that are foreseen
/// are asked for side by side. It cannot return an error where one is found: status() tells of the
/// first one, and what was encoded since is worth nothing.
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
  [[nodiscard]] base::Status status() const override { return status_; }
  [[nodiscard]] std::size_t foresight() const override { return kForesight; }
  void foresee(std::span<const core::ForeseenText> texts) const override;

 private:
  static constexpr std::size_t kForesight = 256;
  /// Text and whether special tokens are added.
  using Key = std::pair<std::string, bool>;

  RemoteTokenizer(std::shared_ptr<Client> client, TokenizeApi api);
  [[nodiscard]] base::Result<base::Value> ask(const Call& call) const;
  [[nodiscard]] base::Result<std::vector<core::Token>> tokens_of(std::string_view text,
                                                                 bool specials) const;

  std::shared_ptr<Client> client_;
  TokenizeApi api_;
  std::optional<core::Token> prefix_;
  std::string prefix_text_;
  mutable std::map<Key, std::vector<core::Token>> foreseen_;
  mutable base::Status status_;
};

}  // namespace tare::backend::http
