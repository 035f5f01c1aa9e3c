#include "textscore/chrf.h"

#include <vector>

#include "base/unicode.h"
#include "textscore/words.h"

namespace tare::textscore {
namespace {

constexpr std::size_t kCharacterOrder = 6;
constexpr std::size_t kWordOrder = 2;
constexpr double kBetaSquared = 4;

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

/// Words with one punctuation mark split off, at the end or else at the beginning.
std::vector<std::string_view> words_without_marks(std::string_view text) {
  std::vector<std::string_view> out;
  for (const std::string_view word : split_words(text)) {
    const bool single = base::unicode::length(word) == 1;
    if (!single && is_ascii_punctuation(word.back())) {
      out.push_back(word.substr(0, word.size() - 1));
      out.push_back(word.substr(word.size() - 1));
    } else if (!single && is_ascii_punctuation(word.front())) {
      out.push_back(word.substr(0, 1));
      out.push_back(word.substr(1));
    } else {
      out.push_back(word);
    }
  }
  return out;
}

/// Counts of n-grams, one entry an order.
using Orders = std::vector<NgramCounts>;

void add_character_orders(std::string_view text, Orders& orders) {
  std::string line;
  for (const std::string_view word : split_words(text)) line += word;
  std::vector<std::size_t> starts;
  for (std::size_t pos = 0; pos < line.size(); base::unicode::decode(line, pos))
    starts.push_back(pos);
  const std::size_t length = starts.size();
  starts.push_back(line.size());
  for (std::size_t n = 1; n <= kCharacterOrder; ++n) {
    NgramCounts& counts = orders.emplace_back();
    for (std::size_t i = 0; i + n <= length; ++i)
      ++counts[line.substr(starts[i], starts[i + n] - starts[i])];
  }
}

Orders count(std::string_view text, bool with_words) {
  Orders orders;
  add_character_orders(text, orders);
  if (!with_words) return orders;
  const auto words = words_without_marks(text);
  for (std::size_t n = 1; n <= kWordOrder; ++n) orders.push_back(count_word_ngrams(words, n, n));
  return orders;
}

/// For each order: n-grams of the prediction (none if the reference has none), of the reference,
/// and those in both.
Statistics compare(const Orders& prediction, const Orders& reference) {
  Statistics out;
  for (std::size_t i = 0; i < prediction.size(); ++i) {
    out.push_back(reference[i].empty() ? 0 : total(prediction[i]));
    out.push_back(total(reference[i]));
    out.push_back(overlap(prediction[i], reference[i]));
  }
  return out;
}

/// Against the reference that gives the best score, the first of equals.
Statistics segment(std::string_view prediction, std::span<const std::string> references,
                   bool with_words) {
  const Orders predicted = count(prediction, with_words);
  Statistics best;
  double best_score = -1;
  for (const std::string& reference : references) {
    Statistics statistics = compare(predicted, count(reference, with_words));
    const double score = chrf_score(statistics);
    if (score <= best_score) continue;
    best_score = score;
    best = std::move(statistics);
  }
  return best;
}

}  // namespace

Statistics chrf_characters(std::string_view prediction, std::span<const std::string> references) {
  return segment(prediction, references, false);
}

Statistics chrf_with_words(std::string_view prediction, std::span<const std::string> references) {
  return segment(prediction, references, true);
}

/// Precision and recall are averaged over the orders that both sides have, then combined.
double chrf_score(std::span<const double> sums) {
  double precision = 0, recall = 0, orders = 0;
  for (std::size_t i = 0; i + 2 < sums.size(); i += 3) {
    if (sums[i] <= 0 || sums[i + 1] <= 0) continue;
    precision += sums[i + 2] / sums[i];
    recall += sums[i + 2] / sums[i + 1];
    orders += 1;
  }
  if (orders == 0) return 0;
  precision /= orders;
  recall /= orders;
  if (precision + recall == 0) return 0;
  return 100 * ((1 + kBetaSquared) * precision * recall / ((kBetaSquared * precision) + recall));
}

}  // namespace tare::textscore
