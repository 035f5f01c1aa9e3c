#pragma once

#include <string_view>

/// ROUGE of rouge_score 0.1.2 (Lin 2004) with its default tokenizer, without a stemmer.
namespace tare::textscore {

/// F-measures, 0 to 1.
struct Rouge {
  double rouge1 = 0, rouge2 = 0;
  double rouge_l = 0;     ///< longest common subsequence of the whole texts
  double rouge_lsum = 0;  ///< union of those of the lines, each a sentence
};

Rouge rouge(std::string_view target, std::string_view prediction);

}  // namespace tare::textscore
