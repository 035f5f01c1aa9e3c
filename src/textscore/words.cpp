#include "textscore/words.h"

#include <algorithm>

#include "base/unicode.h"

namespace tare::textscore {

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = std::string_view::npos;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t here = pos;
    const bool space = base::unicode::is_space(base::unicode::decode(text, pos));
    if (!space && start == std::string_view::npos) start = here;
    if (!space || start == std::string_view::npos) continue;
    words.push_back(text.substr(start, here - start));
    start = std::string_view::npos;
  }
  if (start != std::string_view::npos) words.push_back(text.substr(start));
  return words;
}

NgramCounts count_word_ngrams(std::span<const std::string_view> words, std::size_t least,
                              std::size_t most) {
  NgramCounts counts;
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string ngram;
    const std::size_t end = std::min(words.size(), first + most);
    for (std::size_t last = first; last < end; ++last) {
      if (last > first) ngram += ' ';
      ngram += words[last];
      if (last - first + 1 >= least) ++counts[ngram];
    }
  }
  return counts;
}

int overlap(const NgramCounts& a, const NgramCounts& b) {
  int common = 0;
  for (const auto& [ngram, count] : a)
    if (const auto found = b.find(ngram); found != b.end())
      common += std::min(count, found->second);
  return common;
}

int total(const NgramCounts& counts) {
  int sum = 0;
  for (const auto& [ngram, count] : counts) sum += count;
  return sum;
}

}  // namespace tare::textscore
