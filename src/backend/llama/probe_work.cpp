#include "backend/llama/probe_work.h"

#include <algorithm>

namespace tare::backend::llama {
namespace {

using core::Token;

constexpr std::size_t kAnswers = 3;

/// An endless band of the questions' tokens, which stay where they are: all of MMLU has 160 MB of
/// them.
class Band {
 public:
  Band(std::span<const ScoreItem> items, std::span<const GenerateItem> generations) {
    for (const ScoreItem& item : items) add(item.tokens);
    for (const GenerateItem& item : generations) add(item.tokens);
  }
  [[nodiscard]] bool empty() const { return questions_.empty(); }

  std::vector<Token> take(std::size_t count) {
    std::vector<Token> piece;
    while (piece.size() < count) piece.push_back(take_one());
    return piece;
  }

 private:
  void add(std::span<const Token> tokens) {
    if (!tokens.empty()) questions_.push_back(tokens);
  }

  Token take_one() {
    const std::span<const Token> question = questions_[question_];
    const Token token = question[next_++];
    if (next_ == question.size()) {
      next_ = 0;
      question_ = (question_ + 1) % questions_.size();
    }
    return token;
  }

  std::vector<std::span<const Token>> questions_;
  std::size_t question_ = 0;
  std::size_t next_ = 0;  ///< token of it
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
