#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// The parts of the grammar of letter answers (docs/formats/letter-answers.md). Letters are given
/// back as capitals.
namespace tare::score {

/// The letter that is all of a line but marks and brackets: "B", "(b).", "**B**"; 0 if none is.
base::Result<char> bare_letter(std::string_view line);

/// A line that begins like an option: "B) Paris", "**B.** Paris".
struct LabelledLine {
  char letter = 0;  ///< 0: the line is none
  std::string rest;
  /// With a colon, which may also stand for "Answer:", or with a sentence about the letter: "A) is
  /// wrong". Only the option's text then makes it a label.
  bool doubtful = false;
  bool lists_more = false;  ///< another letter follows as in "(A) or (B)"
};
base::Result<LabelledLine> labelled_line(std::string_view line);

/// The letters that a text says are the answer, in no order: "the answer is B", "I choose B",
/// "Option B is correct", "\boxed{B}". One that is said not to be is none of them.
base::Result<std::vector<char>> mentioned_letters(std::string_view text);

/// `text` without an introduction like "The answer is:" and without marks at its ends, in small
/// letters and with single spaces.
base::Result<std::string> plain_option_text(std::string_view text);

}  // namespace tare::score
