#pragma once

#include <memory>

#include "backend/http/client.h"
#include "backend/http/llama_server_wire.h"
#include "backend/http/remote_tokenizer.h"
#include "core/tokenizer.h"

namespace tare::backend::http {

/// The tokenizer of a llama-server, with the special tokens that /props names: a server tells of a
/// BOS token only there if it does not add it by itself.
class LlamaServerTokenizer final : public core::Tokenizer {
 public:
  static base::Result<std::unique_ptr<LlamaServerTokenizer>> open(std::shared_ptr<Client> client,
                                                                  const llama_server::Props& props);

  [[nodiscard]] std::vector<core::Token> encode(std::string_view text,
                                                bool specials) const override {
    return remote_->encode(text, specials);
  }
  [[nodiscard]] std::optional<core::Token> prefix_token() const override { return prefix_; }
  [[nodiscard]] std::string prefix_text() const override { return prefix_text_; }
  /// Of special tokens BOS and EOS alone are known and can be left out.
  [[nodiscard]] std::string decode(std::span<const core::Token> tokens,
                                   bool specials) const override;
  [[nodiscard]] std::string end_text() const override { return end_text_; }
  [[nodiscard]] base::Status status() const override { return remote_->status(); }
  [[nodiscard]] std::size_t foresight() const override { return remote_->foresight(); }
  void foresee(std::span<const core::ForeseenText> texts) const override {
    remote_->foresee(texts);
  }

 private:
  explicit LlamaServerTokenizer(std::shared_ptr<RemoteTokenizer> remote)
      : remote_(std::move(remote)) {}
  /// The id of a text that is one token.
  [[nodiscard]] std::optional<core::Token> token_of(const std::string& text) const;

  std::shared_ptr<RemoteTokenizer> remote_;
  std::optional<core::Token> prefix_, bos_, eos_;
  std::string prefix_text_, end_text_;
};

}  // namespace tare::backend::http
