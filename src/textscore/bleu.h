#pragma once

#include <span>
#include <string>
#include <string_view>

#include "textscore/corpus.h"

/// BLEU of sacrebleu 2.6 (Papineni et al. 2002; Post 2018): order 4, exponential smoothing, the
/// closest reference length, case kept.
namespace tare::textscore {

/// The tokens of mteval-v13a, joined by spaces: ASCII punctuation apart, numbers whole.
std::string tokenize_13a(std::string_view text);
/// The tokens of mteval-v14's international rules: Unicode punctuation and symbols apart.
std::string tokenize_international(std::string_view text);

Statistics bleu_13a(std::string_view prediction, std::span<const std::string> references);
Statistics bleu_international(std::string_view prediction, std::span<const std::string> references);
double bleu_score(std::span<const double> sums);

inline constexpr CorpusMetric kBleu{"bleu", bleu_13a, bleu_score};
/// What truthfulqa_gen uses.
inline constexpr CorpusMetric kBleuInternational{"bleu", bleu_international, bleu_score};

}  // namespace tare::textscore
