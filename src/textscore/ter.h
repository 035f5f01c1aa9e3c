#pragma once

#include <span>
#include <string>
#include <string_view>

#include "textscore/corpus.h"

/// Translation edit rate of sacrebleu 2.6 (Snover et al. 2006; Tercom): edits and shifts of blocks
/// against the average length of the references, in lower case, words at white space.
namespace tare::textscore {

Statistics ter_edits(std::string_view prediction, std::span<const std::string> references);
double ter_score(std::span<const double> sums);

inline constexpr CorpusMetric kTer{"ter", ter_edits, ter_score};

}  // namespace tare::textscore
