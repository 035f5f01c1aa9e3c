#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

/// Which of the lettered options of a question a generated answer chooses. The grammar is
/// docs/formats/letter-answers.md; an answer that fits it nowhere, or in two ways, chooses none.
namespace tare::score {

/// Options that letters can name.
inline constexpr std::size_t kMostOptions = 26;

enum class LetterFault {
  empty,           ///< nothing but white space
  no_letter,       ///< names no option
  several,         ///< names two options
  no_such_option,  ///< names a letter beyond the last option
};

/// "no letter": short and stable, so that equal ones can be counted.
std::string_view fault_name(LetterFault fault);

struct LetterChoice {
  std::optional<std::size_t> option;  ///< from 0; none: `fault` says why
  LetterFault fault = LetterFault::no_letter;
};

/// `options` are the texts of the options in the order of their letters, kMostOptions at most.
/// Error: matching needed too many steps.
base::Result<LetterChoice> choose_letter(std::string_view answer,
                                         std::span<const std::string> options);

/// 'A' for 0.
char letter_of(std::size_t option);

/// What the filter choice_letter leaves of an answer without a choice: "[unparsable: no letter]".
std::string unparsable_text(LetterFault fault);
bool is_unparsable(std::string_view filtered);

}  // namespace tare::score
