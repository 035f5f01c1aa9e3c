#include "textscore/rouge.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/unicode.h"
#include "textscore/words.h"

namespace tare::textscore {
namespace {

using Tokens = std::vector<std::string>;

/// Runs of ASCII letters and digits, in lower case.
Tokens tokenize(std::string_view text) {
  Tokens tokens;
  std::string token;
  const auto finish = [&] {
    if (!token.empty()) tokens.push_back(token);
    token.clear();
  };
  for (const char c : base::unicode::lower(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      token += c;
    else
      finish();
  }
  finish();
  return tokens;
}

/// The tokens of each line that has any character.
std::vector<Tokens> tokenize_lines(std::string_view text) {
  std::vector<Tokens> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    if (end != 0 && !text.empty()) lines.push_back(tokenize(text.substr(0, end)));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

double f_measure(double precision, double recall) {
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

double f_measure(std::size_t common, std::size_t predicted, std::size_t wanted) {
  const auto hits = static_cast<double>(common);
  return f_measure(hits / static_cast<double>(std::max<std::size_t>(predicted, 1)),
                   hits / static_cast<double>(std::max<std::size_t>(wanted, 1)));
}

NgramCounts ngrams(const Tokens& tokens, std::size_t n) {
  const std::vector<std::string_view> words(tokens.begin(), tokens.end());
  return count_word_ngrams(words, n, n);
}

double rouge_n(const Tokens& target, const Tokens& prediction, std::size_t n) {
  const NgramCounts wanted = ngrams(target, n), predicted = ngrams(prediction, n);
  return f_measure(static_cast<std::size_t>(overlap(wanted, predicted)),
                   static_cast<std::size_t>(total(predicted)),
                   static_cast<std::size_t>(total(wanted)));
}

/// Lengths of the longest common subsequences of all beginnings.
using Table = std::vector<std::vector<std::size_t>>;

Table common_lengths(const Tokens& a, const Tokens& b) {
  Table table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                         : std::max(table[i - 1][j], table[i][j - 1]);
  return table;
}

double rouge_l(const Tokens& target, const Tokens& prediction) {
  return f_measure(common_lengths(target, prediction).back().back(), prediction.size(),
                   target.size());
}

/// Adds the places in `target` of one longest common subsequence.
void add_common(const Tokens& target, const Tokens& prediction, std::set<std::size_t>& places) {
  const Table table = common_lengths(target, prediction);
  std::size_t i = target.size(), j = prediction.size();
  while (i > 0 && j > 0) {
    if (target[i - 1] == prediction[j - 1]) {
      places.insert(--i);
      --j;
    } else if (table[i][j - 1] > table[i - 1][j]) {
      --j;
    } else {
      --i;
    }
  }
}

using Counts = std::map<std::string, std::size_t>;

std::size_t count_tokens(const std::vector<Tokens>& lines, Counts& counts) {
  std::size_t all = 0;
  for (const Tokens& line : lines) {
    for (const std::string& token : line) ++counts[token];
    all += line.size();
  }
  return all;
}

/// A token is a hit as often as both texts have it.
double rouge_lsum(const std::vector<Tokens>& target, const std::vector<Tokens>& prediction) {
  Counts wanted, predicted;
  const std::size_t target_size = count_tokens(target, wanted);
  const std::size_t prediction_size = count_tokens(prediction, predicted);
  std::size_t hits = 0;
  for (const Tokens& line : target) {
    std::set<std::size_t> places;
    for (const Tokens& other : prediction) add_common(line, other, places);
    for (const std::size_t place : places) {
      std::size_t &left = wanted[line[place]], &right = predicted[line[place]];
      if (left == 0 || right == 0) continue;
      ++hits;
      --left;
      --right;
    }
  }
  return f_measure(hits, prediction_size, target_size);
}

}  // namespace

Rouge rouge(std::string_view target, std::string_view prediction) {
  const Tokens wanted = tokenize(target), predicted = tokenize(prediction);
  return {rouge_n(wanted, predicted, 1), rouge_n(wanted, predicted, 2), rouge_l(wanted, predicted),
          rouge_lsum(tokenize_lines(target), tokenize_lines(prediction))};
}

}  // namespace tare::textscore
