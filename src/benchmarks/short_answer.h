#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

/// Short answers compared as the evaluation script of SQuAD 1.1 does (Rajpurkar et al. 2016).
namespace tare::benchmarks {

/// In small letters, without ASCII punctuation and the words a, an, the, with single spaces.
base::Result<std::string> normalised_answer(std::string_view text);

struct ShortAnswerMatch {
  bool exact = false;   ///< equal once normalised
  double token_f1 = 0;  ///< of the normalised words, each counted as often as both have it
};
base::Result<ShortAnswerMatch> compare_short_answers(std::string_view answer,
                                                     std::string_view reference);

}  // namespace tare::benchmarks
