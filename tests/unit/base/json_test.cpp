#include "base/json.h"

#include <doctest/doctest.h>

#include <string>

#include "base/python.h"
#include "support/support.h"

namespace tare::base::json {
namespace {

TEST_CASE("texts read as json.loads reads them") {
  const Value file = test::load_cases("base/json_parse.json");
  for (const Value& test_case : file.find("read")->items()) {
    const std::string text = test_case.find("text")->as_string();
    CAPTURE(text);
    const auto value = parse(text);
    REQUIRE_MESSAGE(value.has_value(), value.error().text);
    CHECK(python::repr(*value) == test_case.find("repr")->as_string());
  }
}

TEST_CASE("what json.loads refuses is refused") {
  const Value file = test::load_cases("base/json_parse.json");
  for (const Value& text : file.find("refused")->items()) {
    CAPTURE(text.as_string());
    CHECK_FALSE(parse(text.as_string()).has_value());
  }
}

TEST_CASE("a refusal says where and what") {
  const Value file = test::load_cases("base/json_errors.json");
  for (const Value& test_case : file.find("cases")->items()) {
    const auto value = parse(test_case.find("text")->as_string());
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().text == test_case.find("error")->as_string());
    CHECK(value.error().kind == ErrorKind::input);
  }
}

TEST_CASE("bytes that are no UTF-8 are refused with their place") {
  const auto value = parse("[\"ab\",\n\"\xc3\xa9\xff\"]");
  REQUIRE_FALSE(value.has_value());
  CHECK(value.error().text ==
        "line 2, column 3: found the byte 0xFF, which is no UTF-8, wanted UTF-8 text");
}

TEST_CASE("hostile depth does not overflow the stack") {
  CHECK(parse(std::string(1000, '[') + std::string(1000, ']')).has_value());
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += open;
    CHECK_FALSE(parse(text).has_value());
  }
}

TEST_CASE("values print as json.dumps prints them") {
  const Value file = test::load_cases("base/json_dump.json");
  for (const Value& test_case : file.find("cases")->items()) {
    const Value& value = *test_case.find("value");
    auto field = [&](const char* name) { return test_case.find(name)->as_string(); };
    CHECK(dump(value) == field("line"));
    CHECK(dump(value, {.ascii_only = true}) == field("ascii"));
    CHECK(dump(value, {.indent = 0}) == field("indent0"));
    CHECK(dump(value, {.indent = 2}) == field("indent2"));
    const auto again = parse(field("indent2"));
    REQUIRE(again.has_value());
    CHECK(dump(*again) == field("line"));
  }
}

TEST_CASE("tuples and keys that are no strings print as json.dumps prints them") {
  const Value file = test::load_cases("base/json_dump.json");
  for (const Value& test_case : file.find("literals")->items()) {
    const auto value = python::parse_literal(test_case.find("literal")->as_string());
    REQUIRE(value.has_value());
    CHECK(dump(*value) == test_case.find("line")->as_string());
  }
}

TEST_CASE("strings print as json.dumps prints them") {
  const Value file = test::load_cases("base/strings.json");
  for (const Value& test_case : file.find("cases")->items()) {
    const Value& text = *test_case.find("text");
    CHECK(dump(text) == test_case.find("json")->as_string());
    CHECK(dump(text, {.ascii_only = true}) == test_case.find("json_ascii")->as_string());
  }
}

TEST_CASE("what JSON cannot hold prints as its str") {
  CHECK(dump(List{DateTime{1'000'000}}) == "[\"1970-01-01 00:00:01\"]");
  Dict dict;
  dict.set(Value::tuple({1, 2}), "x");
  CHECK(dump(dict) == "{\"(1, 2)\": \"x\"}");
}

}  // namespace
}  // namespace tare::base::json
