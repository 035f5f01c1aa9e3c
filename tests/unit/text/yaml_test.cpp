#include "text/yaml.h"

#include <doctest/doctest.h>

#include <string>

#include "base/python.h"
#include "support/support.h"

namespace tare::text::yaml {
namespace {

using base::Value;

TEST_CASE("documents read as PyYAML reads them") {
  const Value file = test::load_cases("yaml/cases.json");
  for (const Value& test_case : file.find("cases")->items()) {
    const std::string text = test_case.find("text")->as_string();
    CAPTURE(base::python::repr(text));
    const auto value = parse_any(text, "case");
    const Value& expected = *test_case.find("repr");
    if (expected.is_none()) {
      CHECK_FALSE(value.has_value());
      continue;
    }
    REQUIRE_MESSAGE(value.has_value(), value.error().text);
    CHECK(base::python::repr(*value) == expected.as_string());
  }
}

TEST_CASE("a refusal is one line that says where and what") {
  const Value file = test::load_cases("yaml/errors.json");
  for (const Value& test_case : file.find("cases")->items()) {
    const auto value = parse(test_case.find("text")->as_string(), "t.yaml");
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().text == test_case.find("error")->as_string());
    CHECK(value.error().kind == base::ErrorKind::input);
  }
}

TEST_CASE("bytes that are no UTF-8 are refused with their place") {
  const auto value = parse("a: 1\nb: \xff\n", "t.yaml");
  REQUIRE_FALSE(value.has_value());
  CHECK(value.error().text ==
        "t.yaml:2:4: found the byte 0xFF, which is no UTF-8, wanted printable UTF-8");
}

TEST_CASE("top-level keys have marks") {
  const auto file = parse("# c\na: {b: 1}\n\n\"c d\":\n  e: 1\n? f\n: 2\na: 3\n<<: {g: 1}\n", "t");
  REQUIRE(file.has_value());
  REQUIRE(file->marks.size() == 3);
  CHECK(file->marks.at("a").line == 8);
  CHECK(file->marks.at("c d").line == 4);
  CHECK(file->marks.at("f").line == 6);
  CHECK(file->marks.at("f").column == 3);
  CHECK(*file->root.find("g") == Value(1));
}

TEST_CASE("a function is no string") {
  const auto file = parse("a: !function utils.f\nb: utils.f\nc: {'!function': x, d: 1}\n", "t");
  REQUIRE(file.has_value());
  CHECK(is_function(*file->root.find("a")));
  CHECK(function_name(*file->root.find("a")) == "utils.f");
  CHECK_FALSE(is_function(*file->root.find("b")));
  CHECK_FALSE(is_function(*file->root.find("c")));
}

TEST_CASE("aliases expand within a limit") {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 5; ++i) {
    const std::string last = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    text += name + ": &" + name + " [" + last;
    for (int j = 1; j < 10; ++j) text += ", " + last;
    text += "]\n";
  }
  const auto small = parse(text, "t");
  REQUIRE_MESSAGE(small.has_value(), small.error().text);
  CHECK(small->root.find("a4")->items().size() == 10);
  for (int i = 5; i < 30; ++i) {
    const std::string last = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    text += name + ": &" + name + " [" + last + ", " + last + ", " + last + "]\n";
  }
  const auto bomb = parse(text, "t");
  REQUIRE_FALSE(bomb.has_value());
  CHECK(bomb.error().text.find("stand for more than 10000000 nodes") != std::string::npos);
}

TEST_CASE("hostile depth does not overflow the stack") {
  for (const char* open : {"[", "{a: ", "- ", "? "}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += open;
    CHECK_FALSE(parse_any(text, "t").has_value());
  }
}

TEST_CASE("a mapping of many keys is read in reasonable time") {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "key" + std::to_string(i) + ": " + std::to_string(i) + "\n";
  const auto file = parse(text, "t");
  REQUIRE(file.has_value());
  CHECK(*file->root.find("key19999") == Value(19999));
}

}  // namespace
TEST_CASE("a key that stands twice is told, and refused where that is wanted") {
  const char* text = "a: 1\nb: {c: 1, d: 2, c: 3}\na: 2\n<<: {e: 1}\ne: 2\n1: x\n1: y\n";
  const auto file = parse(text, "t");
  REQUIRE(file);
  std::string told;
  for (const Repeated& repeated : file->repeated) told += text_of(repeated, "t") + "\n";
  CHECK(told ==
        "t:2:17: the key 'c' stands in line 2 already\n"
        "t:3:1: the key 'a' stands in line 1 already\n"
        "t:7:1: the key '1' stands in line 6 already\n");
  CHECK(file->root.find("a")->as_int() == 2);
  CHECK(parse_strictly(text, "t").error().text ==
        "t:2:17: the key 'c' stands in line 2 already; wanted it once");
  CHECK(parse_strictly("a: 1\nb: {a: 1}\n", "t").has_value());
}

}  // namespace tare::text::yaml
