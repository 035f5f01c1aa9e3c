#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Words and n-grams, as Python's str.split() and collections.Counter give them.
namespace tare::textscore {

/// str.split() without arguments: the runs of what is no white space. They view into `text`.
std::vector<std::string_view> split_words(std::string_view text);

/// A string to count, and how often it was seen.
using NgramCounts = std::unordered_map<std::string, int>;

/// Counts the n-grams of all orders from `least` to `most`; words are joined by a space.
NgramCounts count_word_ngrams(std::span<const std::string_view> words, std::size_t least,
                              std::size_t most);

/// How many n-grams have the same one in the other, each used once.
int overlap(const NgramCounts& a, const NgramCounts& b);
int total(const NgramCounts& counts);

}  // namespace tare::textscore
