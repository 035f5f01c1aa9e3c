#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "stats/bootstrap.h"
#include "stats/classification.h"
#include "stats/estimates.h"
#include "support/support.h"
#include "unit/stats/cases.h"

namespace tare {
namespace {

using base::Value;

std::vector<stats::Weighted> weighted(const Value& items) {
  std::vector<stats::Weighted> out;
  for (const Value& item : items.items())
    out.push_back({item.items()[0].as_number(), item.items()[1].as_number()});
  return out;
}

std::vector<stats::ClassProbabilities> probabilities(const Value& items) {
  std::vector<stats::ClassProbabilities> out;
  for (const Value& item : items.items())
    out.push_back({item.items()[0].as_int(), test::numbers(item.items()[1])});
  return out;
}

/// From paragraph, question, label and prediction.
std::vector<stats::PartialAnswer> answers(const Value& items) {
  std::vector<stats::PartialAnswer> out;
  for (const Value& item : items.items()) {
    const base::List& parts = item.items();
    out.push_back(
        {parts[0].as_int(), parts[1].as_int(), (parts[2].as_int() == 1) == parts[3].as_bool()});
  }
  return out;
}

std::optional<double> call(const std::string& function, const Value& items) {
  if (function == "weighted_mean") return stats::weighted_mean(weighted(items));
  if (function == "weighted_perplexity") return stats::weighted_perplexity(weighted(items));
  if (function == "bits_per_byte") return stats::bits_per_byte(weighted(items));
  if (function == "brier_score") return stats::brier_score(probabilities(items));
  if (function == "all_right") return stats::all_right(answers(items));
  REQUIRE(function == "all_right_stderr");
  return stats::all_right_stderr(answers(items));
}

TEST_CASE("aggregations of more than a number a document are lm-eval's") {
  int checked = 0;
  const Value cases = test::load_cases("stats/documents.json");
  for (const Value& item : cases.items()) {
    CAPTURE(item.find("name")->as_string());
    test::check_expected(item, call(item.find("function")->as_string(), *item.find("items")));
    ++checked;
  }
  CHECK(checked >= 29);
}

TEST_CASE("nothing to score has no Brier score") {
  CHECK(std::isnan(stats::brier_score({})));
}

TEST_CASE("questions are told apart by their number alone for the standard error") {
  const std::vector<stats::PartialAnswer> same = {{0, 0, true}, {1, 0, false}};
  CHECK(stats::all_right(same) == 0.5);
  CHECK_FALSE(stats::all_right_stderr(same).has_value());
}

TEST_CASE("a bootstrap over indices draws what one over values draws") {
  const std::vector<double> x{-1, -2, -3, -0.5, -7};
  const auto by_index = stats::bootstrap_stderr(
      x.size(),
      [&](std::span<const std::size_t> chosen) {
        std::vector<double> drawn;
        for (const std::size_t index : chosen) drawn.push_back(x[index]);
        return stats::perplexity(drawn);
      },
      2500);
  CHECK(by_index == stats::bootstrap_stderr(x, stats::perplexity, 2500));
}

}  // namespace
}  // namespace tare
