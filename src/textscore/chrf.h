#pragma once

#include <span>
#include <string>
#include <string_view>

#include "textscore/corpus.h"

/// chrF and chrF++ of sacrebleu 2.6 (Popović 2015, 2017): character n-grams up to 6 without white
/// space, chrF++ with word n-grams up to 2 besides, recall twice as important as precision.
namespace tare::textscore {

Statistics chrf_characters(std::string_view prediction, std::span<const std::string> references);
Statistics chrf_with_words(std::string_view prediction, std::span<const std::string> references);
double chrf_score(std::span<const double> sums);

inline constexpr CorpusMetric kChrf{"chrf", chrf_characters, chrf_score};
inline constexpr CorpusMetric kChrfPlusPlus{"chrf++", chrf_with_words, chrf_score};

}  // namespace tare::textscore
