#include "score/exact_match.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "support/support.h"

namespace tare::score {
namespace {

using base::Value;

double run(const ExactMatch& match, const Value& prediction, const std::string& reference) {
  if (prediction.is_string()) return match.equal(prediction.as_string(), reference).value() ? 1 : 0;
  std::vector<std::string> predictions;
  for (const Value& item : prediction.items()) predictions.push_back(item.as_string());
  return match.share(predictions, reference).value();
}

TEST_CASE("exact_match gives what lm-eval gives") {
  const Value file = test::load_cases("score/exact_match.json");
  for (const Value& item : file.find("cases")->items()) {
    CAPTURE(item.find("name")->as_string());
    const auto match = ExactMatch::compile(*item.find("arguments")).value();
    const double made = run(match, *item.find("prediction"), item.find("reference")->as_string());
    const double expected = item.find("expected")->as_real();
    CHECK((made == expected || (std::isnan(made) && std::isnan(expected))));
  }
}

TEST_CASE("arguments that cannot work are refused") {
  const auto compile = [](Value patterns) {
    base::Dict arguments;
    arguments.set("regexes_to_ignore", std::move(patterns));
    return ExactMatch::compile(arguments);
  };
  CHECK(compile("a").error().text == "regexes_to_ignore: found str, wanted a list of texts");
  CHECK(compile(base::List{1}).error().text == "regexes_to_ignore: found int, wanted a text");
  CHECK(compile(base::List{"("}).error().text.starts_with("regexes_to_ignore: regular expression"));
}

}  // namespace
}  // namespace tare::score
