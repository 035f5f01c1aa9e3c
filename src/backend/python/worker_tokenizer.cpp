#include "backend/python/worker_tokenizer.h"

#include <set>

namespace tare::backend::python {
namespace {

constexpr std::size_t kMostKnown = 4096;

std::string key_of(std::string_view text, bool specials) {
  std::string key(text);
  key += specials ? '+' : '-';
  return key;
}

}  // namespace

template <class T>
T WorkerTokenizer::value_or_fault(base::Result<T> result) const {
  if (result) return std::move(*result);
  if (status_) status_ = tl::unexpected(std::move(result.error()));
  return {};
}

std::vector<core::Token> WorkerTokenizer::encode(std::string_view text, bool specials) const {
  if (!status_) return {};
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [found, is_new] = known_.try_emplace(key_of(text, specials));
  if (is_new) found->second = value_or_fault(worker_->tokenize(std::string(text), specials));
  return found->second;
}

void WorkerTokenizer::foresee(std::span<const core::ForeseenText> texts) const {
  if (known_.size() + texts.size() > kMostKnown) known_.clear();
  for (const bool specials : {false, true}) {
    std::set<std::string> unknown;
    for (const core::ForeseenText& text : texts)
      if (text.specials == specials && !known_.contains(key_of(text.text, specials)))
        unknown.insert(text.text);
    learn({unknown.begin(), unknown.end()}, specials);
  }
}

void WorkerTokenizer::learn(const std::vector<std::string>& texts, bool specials) const {
  if (!status_ || texts.empty()) return;
  auto tokens = worker_->tokenize_together(texts, specials);
  if (!tokens) return;  // what went wrong is told when a text is asked for by itself
  for (std::size_t i = 0; i < texts.size(); ++i)
    known_.emplace(key_of(texts[i], specials), std::move((*tokens)[i]));
}

std::string WorkerTokenizer::decode(std::span<const core::Token> tokens, bool specials) const {
  if (!status_) return "";
  return value_or_fault(worker_->detokenize(tokens, specials));
}

}  // namespace tare::backend::python
