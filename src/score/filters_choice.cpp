#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "score/filter_regex.h"
#include "score/filter_table.h"

/// multi_choice_regex: the letter of the choice that an answer names.
namespace tare::score {
namespace {

using base::Value;
using text::Regex;

/// How the choices and the answer are made alike before they are compared.
struct Normaliser {
  std::vector<Regex> removed;
  bool ignore_case = false, ignore_punctuation = false;

  [[nodiscard]] bool does_nothing() const {
    return removed.empty() && !ignore_case && !ignore_punctuation;
  }
  [[nodiscard]] base::Result<std::string> operator()(std::string text) const;
};

std::string without_punctuation(std::string_view text) {
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    if (!base::unicode::is_punctuation(base::unicode::decode(text, pos)))
      out += text.substr(start, pos - start);
  }
  return out;
}

base::Result<std::string> Normaliser::operator()(std::string text) const {
  for (const Regex& regex : removed) {
    TARE_TRY(text, regex.sub(text, ""));
  }
  if (ignore_case) text = base::unicode::lower(text);
  return ignore_punctuation ? without_punctuation(text) : text;
}

base::Result<Normaliser> read_normaliser(const Value& arguments) {
  Normaliser normaliser;
  normaliser.ignore_case = argument(arguments, "ignore_case", false).truthy();
  normaliser.ignore_punctuation = argument(arguments, "ignore_punctuation", false).truthy();
  const Value patterns = argument(arguments, "regexes_to_ignore", nullptr);
  if (patterns.is_none()) return normaliser;
  TARE_TRY(const base::List list, elements(patterns));
  for (const Value& pattern : list) {
    if (!pattern.is_string())
      return base::input_error(
          fmt::format("regexes_to_ignore: found {}, wanted texts", pattern.type_name()));
    TARE_TRY(Regex regex, Regex::compile(pattern.as_string()));
    normaliser.removed.push_back(std::move(regex));
  }
  return normaliser;
}

/// The choices of one document as patterns.
struct Choices {
  Regex by_text;    ///< any choice, the longest first, so that none hides behind its beginning
  Regex by_letter;  ///< ": A"
  std::vector<std::string> texts;

  [[nodiscard]] std::string letter_of(const std::string& text) const;
};

std::string letter(std::size_t index) {
  std::string out;
  base::unicode::append(out, static_cast<char32_t>('A' + index));
  return out;
}

/// Of equal choices the last counts. What is no choice stays as it is.
std::string Choices::letter_of(const std::string& text) const {
  for (std::size_t i = texts.size(); i-- > 0;)
    if (texts[i] == text) return '(' + letter(i) + ')';
  return text;
}

std::string any_of(const std::vector<std::string>& patterns) {
  return fmt::format("{}", fmt::join(patterns, "|"));
}

base::Result<Choices> read_choices(const core::Document& document, const Normaliser& normaliser) {
  const Value* choices = document.find("choices");
  if (choices == nullptr) return base::input_error("the document has no column choices");
  TARE_TRY(const base::List list, elements(*choices));
  std::vector<std::string> texts, patterns, letters;
  for (const Value& choice : list) {
    if (!choice.is_string())
      return base::input_error(fmt::format("a choice is {}, wanted a text", choice.type_name()));
    TARE_TRY(std::string text, normaliser(std::string(base::unicode::strip(choice.as_string()))));
    patterns.push_back(text::regex_escape(text));
    letters.push_back(letter(letters.size()));
    texts.push_back(std::move(text));
  }
  std::stable_sort(patterns.begin(), patterns.end(),
                   [](const std::string& a, const std::string& b) {
                     return base::unicode::length(a) > base::unicode::length(b);
                   });
  TARE_TRY(Regex by_text, Regex::compile(any_of(patterns)));
  TARE_TRY(Regex by_letter, Regex::compile(fmt::format(":[\\s]*({})", any_of(letters))));
  return Choices{std::move(by_text), std::move(by_letter), std::move(texts)};
}

/// The chosen match as text; "" for none.
base::Result<std::string> match_text(const Regex& regex, std::int64_t group_select,
                                     const std::string& text) {
  TARE_TRY(const auto found, chosen_match(regex, group_select, text));
  const std::string* chosen = found ? found->first_text() : nullptr;
  return chosen == nullptr ? std::string() : std::string(base::unicode::strip(*chosen));
}

base::Result<Value> choose(const Extraction& extraction, const Normaliser& normaliser,
                           const Choices& choices, const Value& answer) {
  if (!answer.is_string() && !normaliser.does_nothing())
    return base::work_failed(fmt::format("an answer is {}, wanted a text", answer.type_name()));
  const std::string text = answer.is_string() ? answer.as_string() : "";
  TARE_TRY(std::string match, match_text(extraction.regex, extraction.group_select, text));
  if (!match.empty()) return Value(match);
  TARE_TRY(const std::string plain, normaliser(text));
  TARE_TRY(match, match_text(choices.by_text, extraction.group_select, plain));
  if (!match.empty()) return Value(choices.letter_of(match));
  TARE_TRY(match, match_text(choices.by_letter, extraction.group_select, text));
  if (!match.empty()) return Value('(' + match + ')');
  return extraction.fallback;
}

base::Result<Value> choose_all(const Extraction& extraction, const Normaliser& normaliser,
                               const core::Document& document, const Value& response) {
  TARE_TRY(const Choices choices, read_choices(document, normaliser));
  TARE_TRY(base::List answers, elements(response));
  for (Value& answer : answers) {
    TARE_TRY(answer, choose(extraction, normaliser, choices, answer));
  }
  return Value(std::move(answers));
}

base::Result<Responses> multi_choice_regex(const Value& arguments, Responses responses,
                                           std::span<const core::Document> documents) {
  TARE_TRY(const Extraction extraction, read_extraction(arguments));
  TARE_TRY(const Normaliser normaliser, read_normaliser(arguments));
  for (std::size_t i = 0; i < responses.size(); ++i) {
    auto chosen = choose_all(extraction, normaliser, documents[i], responses[i]);
    if (!chosen) return at_request(i, std::move(chosen).error());
    responses[i] = std::move(*chosen);
  }
  return responses;
}

base::Status check(const Value& arguments) {
  TARE_CHECK(check_extraction(arguments));
  TARE_CHECK(read_normaliser(arguments));
  return {};
}

constexpr std::array<Filter, 1> kFilters = {{
    {"multi_choice_regex",
     multi_choice_regex,
     check,
     {"regex_pattern", "group_select", "fallback", "ignore_case", "ignore_punctuation",
      "regexes_to_ignore"}},
}};

}  // namespace

std::span<const Filter> choice_filters() {
  return kFilters;
}

}  // namespace tare::score
