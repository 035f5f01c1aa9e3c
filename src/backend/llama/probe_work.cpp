#include "backend/llama/probe_work.h"

#include <algorithm>

namespace tare::backend::llama {
namespace {

using core::Token;

constexpr std::size_t kAnswers = 3;

/// An endless band of the questions' tokens.
class Band {
 public:
  Band(std::span<const ScoreItem> items, std::span<const GenerateItem> generations) {
    for (const ScoreItem& item : items) add(item.tokens);
    for (const GenerateItem& item : generations) add(item.tokens);
  }
  [[nodiscard]] bool empty() const { return tokens_.empty(); }

  std::vector<Token> take(std::size_t count) {
    std::vector<Token> piece;
    for (; piece.size() < count; ++next_) piece.push_back(tokens_[next_ % tokens_.size()]);
    return piece;
  }

 private:
  void add(const std::vector<Token>& tokens) {
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  }

  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

std::vector<Token> joined(std::vector<Token> front, const std::vector<Token>& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

}  // namespace

ProbeWork make_probe_work(std::span<const ScoreItem> items,
                          std::span<const GenerateItem> generations, const ProbeSize& size) {
  ProbeWork work;
  Band band(items, generations);
  if (band.empty()) return work;
  const std::vector<Token> prefix = band.take(size.prefix);
  for (const std::size_t tail : {size.long_tail, size.short_tail, std::size_t{1}})
    work.items.push_back({work.items.size(), joined(prefix, band.take(tail)), prefix.size()});
  work.items.push_back({kSeparate, band.take(size.separate), 1});
  for (std::size_t i = 0; i < size.company; ++i)
    work.company.push_back({kProbeItems + i, band.take(size.separate), 1});
  if (generations.empty()) return work;
  for (std::size_t i = 0; i < kAnswers; ++i)
    work.answers.push_back({i, band.take(size.prefix + i + size.answer), size.prefix + i});
  return work;
}

}  // namespace tare::backend::llama
