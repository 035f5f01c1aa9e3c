#include <doctest/doctest.h>

#include <string>

#include "base/python.h"
#include "support/support.h"

namespace tare::base::python {
namespace {

TEST_CASE("literals read as ast.literal_eval reads them") {
  const Value file = test::load_cases("base/literals.json");
  for (const Value& test_case : file.find("read")->items()) {
    const std::string text = test_case.find("text")->as_string();
    CAPTURE(text);
    const auto value = parse_literal(text);
    REQUIRE_MESSAGE(value.has_value(), value.error().text);
    CHECK(repr(*value) == test_case.find("repr")->as_string());
  }
}

TEST_CASE("what is no literal, or no value of ours, is refused") {
  const Value file = test::load_cases("base/literals.json");
  for (const Value& text : file.find("refused")->items()) {
    CAPTURE(text.as_string());
    CHECK_FALSE(parse_literal(text.as_string()).has_value());
  }
}

TEST_CASE("a refusal says where and what") {
  const Value file = test::load_cases("base/literal_errors.json");
  for (const Value& test_case : file.find("cases")->items()) {
    const auto value = parse_literal(test_case.find("text")->as_string());
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().text == test_case.find("error")->as_string());
    CHECK(value.error().kind == ErrorKind::input);
  }
}

TEST_CASE("hostile depth does not overflow the stack") {
  CHECK(parse_literal(std::string(200, '[') + std::string(200, ']')).has_value());
  for (const char* open : {"[", "(", "{1:", "-", "+-"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += open;
    CHECK_FALSE(parse_literal(text).has_value());
  }
}

}  // namespace
}  // namespace tare::base::python
