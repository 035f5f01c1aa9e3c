#include "score/letter.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "score/filters.h"
#include "support/pipeline.h"
#include "support/support.h"

namespace tare::score {
namespace {

using base::Dict;
using base::List;
using base::Value;

/// What a pipeline of choice_letter and take_first leaves of an answer.
base::Result<Value> filtered(const Value& options, const Value& answers) {
  const core::FilterPipeline pipeline{
      "answer", {{"choice_letter", Dict{}, std::nullopt}, {"take_first", Dict{}, std::nullopt}}};
  Dict document;
  document.set("choices", options);
  const std::vector<core::Document> documents{document};
  TARE_TRY(const auto made, apply_pipeline(pipeline, {answers}, documents, nullptr));
  return made.front();
}

TEST_CASE("answers choose the option that they name, or none") {
  const Value file = test::load_cases("score/letters.json");
  int checked = 0;
  for (const Value& item : file.find("cases")->items()) {
    CAPTURE(item.find("name")->as_string());
    CAPTURE(item.find("answer")->as_string().substr(0, 200));
    const auto letter = filtered(*item.find("options"), List{*item.find("answer")});
    ++checked;
    REQUIRE_MESSAGE(letter.has_value(), letter.error().text);
    CHECK(letter->as_string() == item.find("expected")->as_string());
  }
  CHECK(checked >= 150);
}

TEST_CASE("of several answers each has its letter") {
  const core::FilterPipeline pipeline{"answer", {{"choice_letter", Dict{}, std::nullopt}}};
  Dict document;
  document.set("choices", List{"x", "y"});
  const std::vector<core::Document> documents{document};
  const Value answers(List{"A", "nothing", "(B)"});
  const auto made = apply_pipeline(pipeline, {answers}, documents, nullptr);
  REQUIRE(made.has_value());
  CHECK(made->front() == Value(List{"A", "[unparsable: no letter]", "B"}));
}

std::string refusal(const Value& options, const Value& answers) {
  const auto letter = filtered(options, answers);
  return letter ? "" : letter.error().text;
}

TEST_CASE("a document without options is an error that names the request") {
  CHECK(refusal(Value(), List{"A"}) ==
        "filter choice_letter: request 0: the document has no list 'choices'");
  CHECK(refusal(List{"a", 1}, List{"A"}) ==
        "filter choice_letter: request 0: a choice is int, wanted a text");
  CHECK(refusal(List(27, "x"), List{"A"}) ==
        "filter choice_letter: request 0: 27 choices, letters name 26 at most");
  CHECK(refusal(List{"a"}, List{1}) ==
        "filter choice_letter: request 0: an answer is int, wanted a text");
}

TEST_CASE("every letter names its option, and the one after the last none") {
  const std::vector<std::string> options(kMostOptions, "an option");
  for (std::size_t count = 1; count <= options.size(); ++count) {
    const std::span<const std::string> shown(options.data(), count);
    for (std::size_t i = 0; i < options.size(); ++i) {
      const auto choice = choose_letter(std::string(1, letter_of(i)) + ")", shown);
      REQUIRE(choice.has_value());
      CHECK(choice->option == (i < count ? std::optional(i) : std::nullopt));
      if (i >= count) CHECK(choice->fault == LetterFault::no_such_option);
    }
  }
}

}  // namespace
}  // namespace tare::score
