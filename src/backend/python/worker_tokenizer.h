#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/python/model_worker.h"
#include "core/tokenizer.h"

namespace tare::backend::python {

/// A model's Hugging Face tokenizer, asked through its worker, for many texts at once where they
/// are foreseen. Texts that come again soon, as the context of several choices does, are
/// remembered. Its functions can't tell of a worker that is gone: they give nothing then, and
/// status() says why.
class WorkerTokenizer final : public core::Tokenizer {
 public:
  /// `worker` outlives this.
  explicit WorkerTokenizer(ModelWorker& worker) : worker_(&worker) {}

  [[nodiscard]] std::vector<core::Token> encode(std::string_view text,
                                                bool specials) const override;
  [[nodiscard]] std::optional<core::Token> prefix_token() const override {
    return worker_->hello().prefix;
  }
  [[nodiscard]] std::string prefix_text() const override { return worker_->hello().prefix_text; }
  [[nodiscard]] std::string decode(std::span<const core::Token> tokens,
                                   bool specials) const override;
  [[nodiscard]] std::string end_text() const override { return worker_->hello().end_text; }
  /// The first error of all, or nothing.
  [[nodiscard]] base::Status status() const override { return status_; }
  [[nodiscard]] std::size_t foresight() const override { return kForesight; }
  void foresee(std::span<const core::ForeseenText> texts) const override;

 private:
  static constexpr std::size_t kForesight = 256;

  template <class T>
  T value_or_fault(base::Result<T> result) const;
  void learn(const std::vector<std::string>& texts, bool specials) const;

  ModelWorker* worker_;
  mutable std::unordered_map<std::string, std::vector<core::Token>> known_;
  mutable base::Status status_;
};

}  // namespace tare::backend::python
