#include "benchmarks/short_answer.h"

#include <map>
#include <vector>

#include "base/unicode.h"
#include "text/regex.h"

namespace tare::benchmarks {
namespace {

using base::Result;
using Words = std::vector<std::string>;

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

/// str.split().
Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (!base::unicode::is_space(base::unicode::decode(text, at))) {
      word += text.substr(begin, at - begin);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

Result<Words> normalised_words(std::string_view text) {
  static const text::Regex article = text::Regex::compile(R"(\b(a|an|the)\b)").value();
  std::string plain = base::unicode::lower(text);
  std::erase_if(plain, is_ascii_punctuation);
  TARE_TRY(plain, article.sub(plain, " "));
  return words_of(plain);
}

double f1(const Words& answer, const Words& reference) {
  std::map<std::string, std::ptrdiff_t> counts;
  for (const std::string& word : reference) ++counts[word];
  double common = 0;
  for (const std::string& word : answer)
    if (counts[word]-- > 0) ++common;
  if (common == 0) return 0;
  const double precision = common / static_cast<double>(answer.size());
  const double recall = common / static_cast<double>(reference.size());
  return 2 * precision * recall / (precision + recall);
}

}  // namespace

Result<std::string> normalised_answer(std::string_view text) {
  TARE_TRY(const Words words, normalised_words(text));
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

Result<ShortAnswerMatch> compare_short_answers(std::string_view answer,
                                               std::string_view reference) {
  TARE_TRY(const Words mine, normalised_words(answer));
  TARE_TRY(const Words theirs, normalised_words(reference));
  return ShortAnswerMatch{mine == theirs, f1(mine, theirs)};
}

}  // namespace tare::benchmarks
