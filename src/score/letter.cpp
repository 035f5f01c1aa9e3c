#include "score/letter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/unicode.h"
#include "score/letter_mentions.h"

namespace tare::score {
namespace {

using base::Result;

constexpr std::string_view kUnparsable = "[unparsable: ";

/// The lines of a text that are not empty, in order.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = base::unicode::strip(text.substr(0, end));
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A reading of a part of the answer: none if the part says nothing.
using Reading = std::optional<LetterChoice>;

LetterChoice fault(LetterFault why) {
  return {std::nullopt, why};
}

class Reader {
 public:
  Reader(std::string_view answer, std::span<const std::string> options)
      : answer_(answer), options_(options), lines_(lines_of(answer)) {}

  Result<LetterChoice> read() const {
    if (lines_.empty()) return fault(LetterFault::empty);
    using Step = Result<Reading> (Reader::*)() const;
    for (const Step step :
         {&Reader::first_line_alone, &Reader::first_line_label, &Reader::first_line_words,
          &Reader::first_line_option_text, &Reader::all_words}) {
      TARE_TRY(const Reading reading, (this->*step)());
      if (reading) return *reading;
    }
    return fault(LetterFault::no_letter);
  }

 private:
  [[nodiscard]] LetterChoice chosen(char letter) const {
    const auto option = static_cast<std::size_t>(letter - 'A');
    if (option >= options_.size()) return fault(LetterFault::no_such_option);
    return {option, {}};
  }

  /// The one option that all of the letters name. Letters beyond the options count only where
  /// nothing else is named.
  [[nodiscard]] Reading agreed(std::vector<char> letters) const {
    std::ranges::sort(letters);
    letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
    if (letters.empty()) return std::nullopt;
    const auto beyond = std::ranges::lower_bound(letters, letter_of(options_.size()));
    const auto named = beyond - letters.begin();
    if (named > 1) return fault(LetterFault::several);
    return chosen(letters.front());
  }

  /// The options with this text.
  [[nodiscard]] Result<std::vector<std::size_t>> options_with(const std::string& text) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < options_.size(); ++i) {
      TARE_TRY(const std::string option, plain_option_text(options_[i]));
      if (option == text) found.push_back(i);
    }
    return found;
  }

  Result<Reading> first_line_alone() const {
    TARE_TRY(const char letter, bare_letter(lines_.front()));
    if (letter == 0) return Reading();
    if (lines_.size() > 1) {
      TARE_TRY(const char next, bare_letter(lines_[1]));
      if (next != 0 && next != letter) return fault(LetterFault::several);
    }
    return chosen(letter);
  }

  Result<Reading> first_line_label() const {
    TARE_TRY(const LabelledLine line, labelled_line(lines_.front()));
    if (line.letter == 0) return Reading();
    if (line.lists_more) return fault(LetterFault::several);
    TARE_TRY(const bool options_repeated, second_label_differs(line.letter));
    if (options_repeated) return Reading();
    const LetterChoice choice = chosen(line.letter);
    TARE_TRY(const std::string text, plain_option_text(line.rest));
    TARE_TRY(const auto named, options_with(text));
    if (!named.empty()) {
      const bool agrees = choice.option && std::ranges::find(named, *choice.option) != named.end();
      return agrees ? choice : fault(LetterFault::several);
    }
    if (line.doubtful) return Reading();
    TARE_TRY(std::vector<char> letters, mentioned_letters(line.rest));
    letters.push_back(line.letter);
    return agreed(std::move(letters));
  }

  /// Whether the answer begins with a list of options.
  Result<bool> second_label_differs(char first) const {
    if (lines_.size() < 2) return false;
    TARE_TRY(const LabelledLine second, labelled_line(lines_[1]));
    return second.letter != 0 && second.letter != first;
  }

  Result<Reading> first_line_words() const {
    TARE_TRY(std::vector<char> letters, mentioned_letters(lines_.front()));
    return agreed(std::move(letters));
  }

  Result<Reading> first_line_option_text() const {
    TARE_TRY(const std::string text, plain_option_text(lines_.front()));
    if (text.empty()) return Reading();
    TARE_TRY(const auto named, options_with(text));
    if (named.empty()) return Reading();
    return named.size() > 1 ? fault(LetterFault::several) : LetterChoice{named.front(), {}};
  }

  Result<Reading> all_words() const {
    TARE_TRY(std::vector<char> letters, mentioned_letters(answer_));
    for (const std::string_view line : lines_) {
      TARE_TRY(const char letter, bare_letter(line));
      // A small letter on a line of its own is rather a list or a variable.
      if (letter != 0 && line.find(letter) != std::string_view::npos) letters.push_back(letter);
    }
    return agreed(std::move(letters));
  }

  std::string_view answer_;
  std::span<const std::string> options_;
  std::vector<std::string_view> lines_;
};

}  // namespace

std::string_view fault_name(LetterFault fault) {
  switch (fault) {
    case LetterFault::empty:
      return "empty";
    case LetterFault::no_letter:
      return "no letter";
    case LetterFault::several:
      return "several letters";
    case LetterFault::no_such_option:
      return "no such option";
  }
  return "";
}

Result<LetterChoice> choose_letter(std::string_view answer, std::span<const std::string> options) {
  return Reader(answer, options).read();
}

char letter_of(std::size_t option) {
  return static_cast<char>('A' + option);
}

std::string unparsable_text(LetterFault fault) {
  return fmt::format("{}{}]", kUnparsable, fault_name(fault));
}

bool is_unparsable(std::string_view filtered) {
  return filtered.starts_with(kUnparsable);
}

}  // namespace tare::score
