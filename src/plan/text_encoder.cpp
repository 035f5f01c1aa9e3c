#include "plan/text_encoder.h"

#include <algorithm>

namespace tare::plan {
namespace {

/// Short endings such as "\nAnswer: A" come again and again; few texts are remembered at a time.
constexpr std::size_t kShortBytes = 64;
constexpr std::size_t kMostKnown = 4096;

}  // namespace

const std::vector<core::Token>& TextEncoder::encode(std::string_view text, bool specials) {
  const std::size_t shared = keep_shared(text, specials);
  for (const std::size_t limit : {shared, text_.size()})
    if (const std::size_t cut = tokenizer_.last_cut(text_, limit); cut > 0) extend(cut);
  extend(text_.size());
  return tokens_;
}

std::size_t TextEncoder::keep_shared(std::string_view text, bool specials) {
  const std::string_view last = text_;
  auto shared = static_cast<std::size_t>(
      std::mismatch(text.begin(), text.end(), last.begin(), last.end()).first - text.begin());
  if (specials != specials_) shared = 0;
  // What stands behind a cut can forbid it.
  const auto lost = [&](const Mark& mark) {
    return mark.bytes > shared || tokenizer_.last_cut(text, mark.bytes) != mark.bytes;
  };
  while (!marks_.empty() && lost(marks_.back())) marks_.pop_back();
  tokens_.resize(marks_.empty() ? 0 : marks_.back().tokens);
  text_ = text;
  specials_ = specials;
  return shared;
}

void TextEncoder::extend(std::size_t end) {
  const std::size_t begin = marks_.empty() ? 0 : marks_.back().bytes;
  if (begin >= end && end > 0) return;
  const std::vector<core::Token>& more = piece(begin, end);
  tokens_.insert(tokens_.end(), more.begin(), more.end());
  if (end < text_.size()) marks_.push_back({end, tokens_.size()});
}

const std::vector<core::Token>& TextEncoder::piece(std::size_t begin, std::size_t end) {
  const std::string_view head = std::string_view(text_).substr(0, end);
  if (begin == 0) return piece_ = tokenizer_.encode(head, specials_);
  if (end - begin > kShortBytes) return piece_ = tokenizer_.encode_behind(head, begin);
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [found, is_new] = known_.try_emplace(std::string(head.substr(begin)));
  if (is_new) found->second = tokenizer_.encode_behind(head, begin);
  return found->second;
}

}  // namespace tare::plan
