#include <doctest/doctest.h>

#include <cmath>

#include "base/python.h"
#include "score/score.h"
#include "support/support.h"
#include "unit/score/tasks.h"

namespace tare {
namespace {

using base::Value;

struct Case {
  core::BuiltTask task;
  std::vector<core::Response> responses;
};

std::vector<std::string> strings(const Value* list) {
  std::vector<std::string> out;
  if (list == nullptr) return out;
  for (const Value& item : list->items()) out.push_back(item.as_string());
  return out;
}

Case read_case(const Value& given) {
  Case made;
  core::BuiltTask& task = made.task;
  task.name = given.find("name")->as_string();
  task.output_type = given.find("output_type")->as_string() == "loglikelihood"
                         ? core::OutputType::loglikelihood
                         : core::OutputType::multiple_choice;
  const Value* multiple_input = given.find("multiple_input");
  task.multiple_input = multiple_input != nullptr && multiple_input->as_bool();
  for (const Value& metric : given.find("metrics")->items()) {
    const Value* aggregation = metric.find("aggregation");
    task.metrics.push_back({metric.find("name")->as_string(),
                            aggregation ? aggregation->as_string() : "", true, Value()});
  }
  for (const Value& document : given.find("documents")->items()) {
    core::Gold gold{*document.find("target"), strings(document.find("choices")), std::nullopt};
    if (const Value* choice = document.find("choice"))
      gold.choice = static_cast<std::size_t>(choice->as_int());
    const auto& answers = document.find("answers")->items();
    test::add_document(task, std::move(gold), answers.size());
    for (const Value& answer : answers)
      made.responses.push_back(
          test::answered(answer.items()[0].as_number(), answer.items()[1].as_bool()));
  }
  return made;
}

/// "[('acc', 1.0), ('exact_match', 1)]": shows order and types too.
std::string shown(const core::DocumentScore& score) {
  base::Dict dict;
  for (const auto& [name, value] : score.metrics) {
    const Value& plain = value;
    dict.set(name, plain.is_tuple() ? Value(base::List(plain.items())) : plain);
  }
  return base::python::repr(Value(dict));
}

void check_close(double found, const Value& expected) {
  const double wanted = expected.as_number();
  INFO("found " << found << ", expected " << wanted);
  if (std::isfinite(wanted))
    CHECK(std::abs(found - wanted) <= 1e-14 * std::max(1.0, std::abs(wanted)));
  else
    CHECK(base::python::repr(found) == base::python::repr(wanted));
}

void check_estimate(const core::Estimate& found, const Value& expected) {
  CAPTURE(found.metric);
  CHECK(found.metric == expected.find("metric")->as_string());
  check_close(found.value, *expected.find("value"));
  const Value* error = expected.find("stderr");
  if (error == nullptr) return;
  REQUIRE(found.standard_error.has_value() == !error->is_string());
  if (found.standard_error) check_close(*found.standard_error, *error);
}

void check_case(const Value& given) {
  const Case made = read_case(given);
  const auto score = score::score_task(made.task, made.responses);
  REQUIRE_MESSAGE(score.has_value(), score.error().text);
  const auto& documents = given.find("expected_documents")->items();
  REQUIRE(score->filters[0].documents.size() == documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i)
    CHECK(shown(score->filters[0].documents[i]) == base::python::repr(documents[i]));
  const auto& estimates = given.find("expected_estimates")->items();
  REQUIRE(score->estimates.size() == estimates.size());
  for (std::size_t i = 0; i < estimates.size(); ++i)
    check_estimate(score->estimates[i], estimates[i]);
}

TEST_CASE("documents and estimates are those of lm-eval") {
  int checked = 0;
  const Value cases = test::load_cases("score/tasks.json");
  for (const Value& given : cases.items()) {
    CAPTURE(given.find("name")->as_string());
    check_case(given);
    ++checked;
  }
  CHECK(checked >= 20);
}

}  // namespace
}  // namespace tare
