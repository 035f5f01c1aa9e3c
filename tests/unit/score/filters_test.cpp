#include "score/filters.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "base/python.h"
#include "support/pipeline.h"
#include "support/support.h"

namespace tare::score {
namespace {

using base::List;
using base::Value;

base::Result<std::vector<Value>> run(const Value& item) {
  const auto pipeline = test::pipeline_of(*item.find("steps"));
  for (const auto& step : pipeline.steps) TARE_CHECK(check_filter(step, nullptr));
  TARE_TRY(const Value responses, base::python::parse_literal(item.find("responses")->as_string()));
  return apply_pipeline(pipeline, responses.items(), item.find("documents")->items(), nullptr);
}

TEST_CASE("filters give what lm-eval's give") {
  const Value file = test::load_cases("score/filters.json");
  int checked = 0;
  for (const Value& item : file.find("cases")->items()) {
    CAPTURE(item.find("name")->as_string());
    const auto made = run(item);
    ++checked;
    if (item.find("refused") != nullptr) {
      CHECK_FALSE(made.has_value());
      continue;
    }
    REQUIRE_MESSAGE(made.has_value(), made.error().text);
    CHECK(base::python::repr(Value(List(*made))) == item.find("expected")->as_string());
  }
  CHECK(checked >= 100);
}

std::string refusal(const std::string& name, const std::string& arguments) {
  const core::FilterStep step{name, base::python::parse_literal(arguments).value(), std::nullopt};
  const auto status = check_filter(step, nullptr);
  return status ? "" : status.error().text;
}

TEST_CASE("a step that cannot work is refused before anything runs") {
  CHECK(refusal("take_frist", "{}") ==
        "filter take_frist: unknown; did you mean take_first? (filter_list)");
  CHECK(refusal("regex", "{'pattern': 'a'}") ==
        "filter regex: no argument pattern; it takes regex_pattern, group_select or fallback");
  CHECK(refusal("take_first", "{'k': 1}") == "filter take_first: no argument k; it takes none");
  CHECK(refusal("regex", "{'regex_pattern': '(a'}") ==
        "filter regex: regular expression '(a': missing ), unterminated subpattern at position 2");
  CHECK(refusal("take_first_k", "{}") ==
        "filter take_first_k: k: found NoneType, wanted a whole number");
  CHECK(refusal("map", "{'mapping_dict': [1]}") ==
        "filter map: mapping_dict: found list, wanted a dict");
  CHECK(refusal("custom", "{}") == "filter custom: wants filter_fn: !function NAME");
  CHECK(refusal("multi_choice_regex", "{'regexes_to_ignore': ['[']}").find("unterminated") !=
        std::string::npos);
  CHECK(refusal("remove_whitespace", "{'anything': 1}").empty());
}

/// Reverses the list of responses and remembers what it was given.
class Reversing : public core::Functions {
 public:
  [[nodiscard]] bool knows(const core::FunctionRef& function,
                           core::FunctionUse use) const override {
    return function.name == "utils.Reverse" && use == core::FunctionUse::filter;
  }
  base::Result<Value> call(const core::FunctionRef&, core::FunctionUse,
                           std::span<const Value> arguments) override {
    seen = List(arguments.begin(), arguments.end());
    List reversed(arguments[0].items().rbegin(), arguments[0].items().rend());
    if (drops_one) reversed.pop_back();
    return Value(std::move(reversed));
  }
  List seen;
  bool drops_one = false;
};

TEST_CASE("a !function step gets responses, documents and arguments") {
  Reversing functions;
  core::FilterPipeline pipeline;
  pipeline.steps.push_back(
      {"custom", base::Dict{}, core::FunctionRef{"utils.Reverse", {}, {}, {}}});
  const std::vector<Value> responses = {List{"a"}, List{"b"}};
  const std::array<Value, 2> documents = {Value(1), Value(2)};
  const auto made = apply_pipeline(pipeline, responses, documents, &functions).value();
  CHECK(made[0] == Value(List{"b"}));
  CHECK(functions.seen == List{List{List{"a"}, List{"b"}}, List{1, 2}, base::Dict{}});

  CHECK(check_filter(pipeline.steps[0], &functions).has_value());
  CHECK_FALSE(check_filter(pipeline.steps[0], nullptr).has_value());
  pipeline.steps[0].function->name = "utils.Other";
  CHECK(check_filter(pipeline.steps[0], &functions)
            .error()
            .text.starts_with("filter !function utils.Other: no native twin"));
}

TEST_CASE("a !function step must give back as many responses") {
  Reversing functions;
  functions.drops_one = true;
  core::FilterPipeline pipeline;
  pipeline.steps.push_back({"", base::Dict{}, core::FunctionRef{"utils.Reverse", {}, {}, {}}});
  const std::array<Value, 1> documents = {Value(1)};
  const auto made = apply_pipeline(pipeline, {List{"a"}}, documents, &functions);
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().text ==
        "filter !function utils.Reverse: gave list instead of a list of 1 responses");
}

TEST_CASE("an error names the request") {
  core::FilterPipeline pipeline;
  pipeline.steps.push_back({"lowercase", {}, std::nullopt});
  const std::array<Value, 2> documents = {};
  const auto made = apply_pipeline(pipeline, {List{"a"}, List{1.5}}, documents, nullptr);
  CHECK(made.error().text == "filter lowercase: request 1: an answer is float, wanted a text");
}

}  // namespace
}  // namespace tare::score
