#include "backend/python/worker_tokenizer.h"

namespace tare::backend::python {
namespace {

constexpr std::size_t kMostKnown = 4096;

}  // namespace

template <class T>
T WorkerTokenizer::value_or_fault(base::Result<T> result) const {
  if (result) return std::move(*result);
  if (status_) status_ = tl::unexpected(std::move(result.error()));
  return {};
}

std::vector<core::Token> WorkerTokenizer::encode(std::string_view text, bool specials) const {
  if (!status_) return {};
  std::string key(text);
  key += specials ? '+' : '-';
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [found, is_new] = known_.try_emplace(std::move(key));
  if (is_new) found->second = value_or_fault(worker_->tokenize(text, specials));
  return found->second;
}

std::string WorkerTokenizer::decode(std::span<const core::Token> tokens, bool specials) const {
  if (!status_) return "";
  return value_or_fault(worker_->detokenize(tokens, specials));
}

}  // namespace tare::backend::python
