#include <fmt/format.h>

#include "score/filter_table.h"
#include "score/letter.h"

/// choice_letter: the letter of the option that an answer chooses (letter.h).
namespace tare::score {
namespace {

using base::Result;
using base::Value;

Result<std::vector<std::string>> options_of(const core::Document& document) {
  const Value* choices = document.find("choices");
  if (choices == nullptr || !choices->is_sequence())
    return base::input_error("the document has no list 'choices'");
  std::vector<std::string> options;
  for (const Value& choice : choices->items()) {
    if (!choice.is_string())
      return base::input_error(fmt::format("a choice is {}, wanted a text", choice.type_name()));
    options.push_back(choice.as_string());
  }
  if (options.size() <= kMostOptions) return options;
  return base::input_error(
      fmt::format("{} choices, letters name {} at most", options.size(), kMostOptions));
}

Result<Value> letter_value(const Value& answer, std::span<const std::string> options) {
  if (!answer.is_string())
    return base::work_failed(fmt::format("an answer is {}, wanted a text", answer.type_name()));
  TARE_TRY(const LetterChoice choice, choose_letter(answer.as_string(), options));
  if (!choice.option) return Value(unparsable_text(choice.fault));
  return Value(std::string(1, letter_of(*choice.option)));
}

Result<Value> letters_of(const Value& response, const core::Document& document) {
  TARE_TRY(const std::vector<std::string> options, options_of(document));
  TARE_TRY(base::List answers, elements(response));
  for (Value& answer : answers) {
    TARE_TRY(answer, letter_value(answer, options));
  }
  return Value(std::move(answers));
}

Result<Responses> choice_letter(const Value&, Responses responses,
                                std::span<const core::Document> documents) {
  for (std::size_t i = 0; i < responses.size(); ++i) {
    auto letters = letters_of(responses[i], documents[i]);
    if (!letters) return at_request(i, std::move(letters).error());
    responses[i] = std::move(*letters);
  }
  return responses;
}

constexpr std::array<Filter, 1> kFilters = {{{"choice_letter", choice_letter}}};

}  // namespace

std::span<const Filter> letter_filters() {
  return kFilters;
}

}  // namespace tare::score
