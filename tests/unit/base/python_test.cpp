#include "base/python.h"

#include <doctest/doctest.h>

#include <bit>

#include "support/support.h"

namespace tare::base::python {
namespace {

TEST_CASE("repr of strings") {
  const Value file = test::load_cases("base/strings.json");
  for (const Value& test_case : file.find("cases")->items())
    CHECK(repr(test_case.find("text")->as_string()) == test_case.find("repr")->as_string());
}

TEST_CASE("repr of reals, from their bits") {
  const Value file = test::load_cases("base/reals.json");
  for (const Value& test_case : file.find("printed")->items()) {
    const auto number = std::bit_cast<double>(test_case.items()[0].as_int());
    CHECK(repr(number) == test_case.items()[1].as_string());
    CHECK(repr(Value(number)) == test_case.items()[1].as_string());
  }
}

TEST_CASE("repr of nested values") {
  const Value file = test::load_cases("base/json_dump.json");
  for (const Value& test_case : file.find("cases")->items())
    CHECK(repr(*test_case.find("value")) == test_case.find("repr")->as_string());
}

TEST_CASE("repr and str of datetimes") {
  const Value file = test::load_cases("base/datetimes.json");
  for (const Value& test_case : file.find("cases")->items()) {
    const Value time(DateTime{test_case.find("microseconds")->as_int()});
    CHECK(repr(time) == test_case.find("repr")->as_string());
    CHECK(str(time) == test_case.find("str")->as_string());
    CHECK(str(List{time}) == "[" + test_case.find("repr")->as_string() + "]");
  }
}

TEST_CASE("str leaves strings alone and quotes them inside containers") {
  CHECK(str("it's") == "it's");
  CHECK(str(List{"it's"}) == "[\"it's\"]");
  CHECK(str(Value::tuple({"a"})) == "('a',)");
  CHECK(str(Value()) == "None");
  CHECK(str(true) == "True");
}

TEST_CASE("repr finds the kind of what it is given") {
  CHECK(repr(1) == "1");
  CHECK(repr(true) == "True");
  CHECK(repr(1.0) == "1.0");
  CHECK(repr("a") == "'a'");
  CHECK(repr(std::string("a")) == "'a'");
  CHECK(repr(List{1, "a"}) == "[1, 'a']");
}

TEST_CASE("bytes that are no UTF-8 print as the replacement character") {
  CHECK(repr("\xff") == "'\ufffd'");
}

}  // namespace
}  // namespace tare::base::python
