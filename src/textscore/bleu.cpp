#include "textscore/bleu.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/unicode.h"
#include "textscore/words.h"

namespace tare::textscore {
namespace {

constexpr std::size_t kOrder = 4;

// Places in the statistics.
constexpr std::size_t kLength = 0, kReferenceLength = 1, kCorrect = 2, kTotal = kCorrect + kOrder;

void replace_all(std::string& text, std::string_view old, std::string_view with) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
}

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool no_digit(char c) {
  return !digit(c);
}
bool stop(char c) {
  return c == '.' || c == ',';
}
bool dash(char c) {
  return c == '-';
}
/// The ASCII characters that always stand apart.
bool apart(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

std::string space_around(std::string_view text, bool (*is)(char)) {
  std::string out;
  for (const char c : text) {
    if (is(c)) out += ' ';
    out += c;
    if (is(c)) out += ' ';
  }
  return out;
}

/// Writes a space between the two of each pair that matches, and before or after it. Pairs do not
/// overlap. Bytes do, since nothing here is said of single code points outside ASCII.
std::string space_pairs(std::string_view text, bool (*first)(char), bool (*second)(char),
                        std::string_view before, std::string_view after) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !first(text[i]) || !second(text[i + 1])) {
      out += text[i];
      continue;
    }
    (out += before) += text[i];
    (out += ' ') += text[++i];
    out += after;
  }
  return out;
}

std::string joined_words(std::string_view text) {
  std::string out;
  for (const std::string_view word : split_words(text)) {
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

/// Like space_pairs, on code points.
std::u32string space_pairs(std::u32string_view text, bool (*first)(char32_t),
                           bool (*second)(char32_t), std::u32string_view before,
                           std::u32string_view after) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !first(text[i]) || !second(text[i + 1])) {
      out += text[i];
      continue;
    }
    (out += before) += text[i];
    (out += U' ') += text[++i];
    out += after;
  }
  return out;
}

bool no_number(char32_t c) {
  return !base::unicode::is_number(c);
}

std::size_t closest_length(std::size_t length, std::span<const std::size_t> lengths) {
  const auto distance = [&](std::size_t other) {
    return other > length ? other - length : length - other;
  };
  return *std::min_element(lengths.begin(), lengths.end(), [&](std::size_t a, std::size_t b) {
    return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
  });
}

using Tokenizer = std::string (*)(std::string_view);

/// n-grams with the highest count that any reference has, and the references' lengths.
struct References {
  std::array<NgramCounts, kOrder> ngrams;
  std::vector<std::size_t> lengths;
};

References read_references(std::span<const std::string> references, Tokenizer tokenize) {
  References out;
  for (const std::string& reference : references) {
    const std::string tokens = tokenize(base::unicode::rstrip(reference));
    const auto words = split_words(tokens);
    out.lengths.push_back(words.size());
    for (std::size_t n = 1; n <= kOrder; ++n)
      for (const auto& [ngram, count] : count_word_ngrams(words, n, n)) {
        int& most = out.ngrams[n - 1][ngram];
        most = std::max(most, count);
      }
  }
  return out;
}

Statistics segment(std::string_view prediction, std::span<const std::string> references,
                   Tokenizer tokenize) {
  const std::string tokens = tokenize(base::unicode::rstrip(prediction));
  const auto words = split_words(tokens);
  const References wanted = read_references(references, tokenize);
  Statistics out(kTotal + kOrder);
  out[kLength] = static_cast<double>(words.size());
  out[kReferenceLength] = static_cast<double>(closest_length(words.size(), wanted.lengths));
  for (std::size_t n = 1; n <= kOrder; ++n) {
    const NgramCounts ngrams = count_word_ngrams(words, n, n);
    out[kCorrect + n - 1] = overlap(ngrams, wanted.ngrams[n - 1]);
    out[kTotal + n - 1] = total(ngrams);
  }
  return out;
}

double brevity_penalty(double length, double reference_length) {
  if (length >= reference_length) return 1;
  return length > 0 ? std::exp(1 - reference_length / length) : 0;
}

}  // namespace

std::string tokenize_13a(std::string_view text) {
  std::string line(text);
  replace_all(line, "<skipped>", "");
  replace_all(line, "-\n", "");
  replace_all(line, "\n", " ");
  replace_all(line, "&quot;", "\"");
  replace_all(line, "&amp;", "&");
  replace_all(line, "&lt;", "<");
  replace_all(line, "&gt;", ">");
  line = space_around(' ' + line + ' ', apart);
  line = space_pairs(line, no_digit, stop, "", " ");
  line = space_pairs(line, stop, no_digit, " ", "");
  line = space_pairs(line, digit, dash, "", " ");
  return joined_words(line);
}

std::string tokenize_international(std::string_view text) {
  std::u32string line = base::unicode::to_utf32(text);
  line = space_pairs(line, no_number, base::unicode::is_punctuation, U"", U" ");
  line = space_pairs(line, base::unicode::is_punctuation, no_number, U" ", U"");
  std::u32string spaced;
  for (const char32_t c : line) {
    const bool symbol = base::unicode::is_symbol(c);
    if (symbol) spaced += U' ';
    spaced += c;
    if (symbol) spaced += U' ';
  }
  return joined_words(base::unicode::to_utf8(spaced));
}

Statistics bleu_13a(std::string_view prediction, std::span<const std::string> references) {
  return segment(prediction, references, tokenize_13a);
}

Statistics bleu_international(std::string_view prediction,
                              std::span<const std::string> references) {
  return segment(prediction, references, tokenize_international);
}

/// An order without a match counts as half a match, the next as a quarter, and so on; an order
/// without n-grams makes the score zero.
double bleu_score(std::span<const double> sums) {
  const auto correct = sums.subspan(kCorrect, kOrder), totals = sums.subspan(kTotal, kOrder);
  if (std::all_of(correct.begin(), correct.end(), [](double count) { return count == 0; }))
    return 0;
  double logs = 0, smoothing = 1;
  for (std::size_t n = 0; n < kOrder; ++n) {
    if (totals[n] == 0) return 0;
    if (correct[n] == 0) smoothing *= 2;
    logs +=
        std::log(correct[n] == 0 ? 100. / (smoothing * totals[n]) : 100. * correct[n] / totals[n]);
  }
  return brevity_penalty(sums[kLength], sums[kReferenceLength]) * std::exp(logs / kOrder);
}

}  // namespace tare::textscore
