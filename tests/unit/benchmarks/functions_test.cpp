#include "benchmarks/functions.h"

#include <doctest/doctest.h>

#include <array>

#include "base/json.h"
#include "benchmarks/items.h"
#include "support/support.h"

namespace tare::benchmarks {
namespace {

using base::List;
using base::Value;
using core::FunctionUse;

core::FunctionRef named(const std::string& name) {
  return {name, {}, {}, {}};
}

/// One line of JSON, so that order, kinds and last digits count.
std::string dumped(const base::Result<Value>& value) {
  return value ? base::json::dump(*value) : value.error().text;
}

std::string expected(const Value& item) {
  const Value* error = item.find("error");
  return error != nullptr ? error->as_string() : base::json::dump(*item.find("expected"));
}

TEST_CASE("rows become items") {
  Functions functions;
  const Value file = test::load_cases("benchmarks/items.json");
  int checked = 0;
  for (const Value& item : file.find("cases")->items()) {
    CAPTURE(item.find("name")->as_string());
    const Value rows(List{*item.find("row")});
    const auto made = functions.call(named(item.find("function")->as_string()),
                                     FunctionUse::documents, {&rows, 1});
    CHECK((made ? base::json::dump(made->items().front()) : made.error().text) == expected(item));
    ++checked;
  }
  CHECK(checked >= 40);
}

TEST_CASE("answers become metrics") {
  Functions functions;
  const Value file = test::load_cases("benchmarks/scores.json");
  int checked = 0;
  for (const Value& item : file.find("cases")->items()) {
    CAPTURE(item.find("name")->as_string());
    const std::array<Value, 2> arguments{*item.find("item"), List{*item.find("answer")}};
    const auto made =
        functions.call(named(item.find("function")->as_string()), FunctionUse::results, arguments);
    CHECK(dumped(made) == expected(item));
    ++checked;
  }
  CHECK(checked >= 40);
}

TEST_CASE("icat is over the labels of all choices") {
  Functions functions;
  const Value file = test::load_cases("benchmarks/scores.json");
  for (const Value& item : file.find("icat")->items()) {
    CAPTURE(item.find("name")->as_string());
    const auto made =
        functions.call(named("tare.icat"), FunctionUse::aggregation, {item.find("labels"), 1});
    REQUIRE(made.has_value());
    CHECK(made->as_real() == doctest::Approx(item.find("expected")->as_number()).epsilon(1e-15));
  }
}

TEST_CASE("a list of answers is refused with the remedy") {
  Functions functions;
  const Value both(List{"A", "B"});
  const std::array<Value, 2> arguments{base::Dict{}, List{both}};
  const auto made = functions.call(named("tare.letter_scores"), FunctionUse::results, arguments);
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().text ==
        "!function tare.letter_scores: wanted one text an item; end the filters with take_first");
}

TEST_CASE("a function is known by its name, its use and the absence of a file") {
  const Functions functions;
  CHECK(functions.knows(named("tare.icat"), FunctionUse::aggregation));
  CHECK_FALSE(functions.knows(named("tare.icat"), FunctionUse::results));
  CHECK_FALSE(functions.knows(named("tare.icats"), FunctionUse::aggregation));
  CHECK_FALSE(functions.knows(named("utils.icat"), FunctionUse::aggregation));
  CHECK_FALSE(functions.knows({"tare.icat", {}, "tare.py", "abc"}, FunctionUse::aggregation));
}

TEST_CASE("the order of options depends on the item alone and reaches every order") {
  std::vector<int> first(3);
  for (int i = 0; i < 3000; ++i) {
    const auto order = option_order("item " + std::to_string(i), 3);
    CHECK(order == option_order("item " + std::to_string(i), 3));
    ++first[order.front()];
  }
  for (const int count : first) CHECK(count == doctest::Approx(1000).epsilon(0.1));
}

}  // namespace
}  // namespace tare::benchmarks
