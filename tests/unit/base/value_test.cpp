#include "base/value.h"

#include <doctest/doctest.h>

#include <limits>

namespace tare::base {
namespace {

std::string name(int i) {
  return "key number " + std::to_string(i);
}

Dict numbered(int count) {
  Dict dict;
  for (int i = 0; i < count; ++i) dict.set(name(i), i);
  return dict;
}

TEST_CASE("a dict behaves alike below and above the size at which it keeps an index") {
  for (const int count : {0, 1, 15, 16, 17, 200}) {
    CAPTURE(count);
    Dict dict = numbered(count);
    for (int i = 0; i < count; ++i) dict.set(name(i), i + 1000);
    REQUIRE(dict.size() == static_cast<std::size_t>(count));
    int place = 0;
    for (const auto& [key, value] : dict) {
      CHECK(key.as_string() == name(place));
      CHECK(value == Value(place + 1000));
      ++place;
    }
    CHECK(dict.find(name(count)) == nullptr);
    CHECK_FALSE(dict.erase(name(count)));
  }
}

TEST_CASE("erasing keeps the order and the other keys") {
  for (const int count : {3, 16, 40}) {
    Dict dict = numbered(count);
    CHECK(dict.erase(name(1)));
    CHECK(dict.find(name(1)) == nullptr);
    REQUIRE(dict.find(name(2)) != nullptr);
    CHECK(*dict.find(name(2)) == Value(2));
    dict.set(name(1), "again");
    CHECK((dict.end() - 1)->second == Value("again"));
    for (int i = 0; i < count; ++i) CHECK(dict.erase(name(i)));
    CHECK(dict.empty());
    dict.set("new", 1);
    CHECK(*dict.find("new") == Value(1));
  }
}

TEST_CASE("copies of a dict are apart") {
  Dict first = numbered(40);
  Dict second = first;
  first = Dict();
  second.set(name(0), "changed");
  CHECK(*second.find(name(39)) == Value(39));
  CHECK(*second.find(name(0)) == Value("changed"));
}

TEST_CASE("keys that are equal in Python are one key") {
  Dict dict;
  dict.set(1, "a");
  dict.set(1.0, "b");
  dict.set(true, "c");
  CHECK(dict.size() == 1);
  CHECK(dict.begin()->first.is_int());
  CHECK(dict.begin()->second == Value("c"));
  dict.set(Value::tuple({1, "x"}), 5);
  CHECK(*dict.find(Value::tuple({true, "x"})) == Value(5));
}

TEST_CASE("equality is Python's") {
  CHECK(Value(1) == Value(1.0));
  CHECK(Value(true) == Value(1));
  CHECK_FALSE(Value("1") == Value(1));
  CHECK_FALSE(Value(List{1}) == Value::tuple({1}));
  CHECK_FALSE(Value() == Value(false));
  CHECK_FALSE(Value(std::numeric_limits<double>::quiet_NaN()) ==
              Value(std::numeric_limits<double>::quiet_NaN()));
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;
  CHECK_FALSE(Value(odd) == Value(static_cast<double>(odd)));
  CHECK_FALSE(Value(std::numeric_limits<std::int64_t>::max()) == Value(9223372036854775808.0));
  CHECK(Value(std::numeric_limits<std::int64_t>::min()) == Value(-9223372036854775808.0));
  Dict forwards, backwards;
  forwards.set("a", 1);
  forwards.set("b", 2);
  backwards.set("b", 2.0);
  backwards.set("a", true);
  CHECK(Value(forwards) == Value(backwards));
}

TEST_CASE("truth is Python's") {
  for (const Value& falsy : {Value(), Value(false), Value(0), Value(0.0), Value(-0.0), Value(""),
                             Value(List{}), Value::tuple({}), Value(Dict{})})
    CHECK_FALSE(falsy.truthy());
  for (const Value& truthy : {Value(true), Value(-1), Value(0.5), Value(" "), Value(List{Value()}),
                              Value::tuple({0}), Value(DateTime{})})
    CHECK(truthy.truthy());
  CHECK(Value(std::numeric_limits<double>::quiet_NaN()).truthy());
}

TEST_CASE("types have Python's names") {
  CHECK(Value().type_name() == "NoneType");
  CHECK(Value(true).type_name() == "bool");
  CHECK(Value(1).type_name() == "int");
  CHECK(Value(1.5).type_name() == "float");
  CHECK(Value("").type_name() == "str");
  CHECK(Value(List{}).type_name() == "list");
  CHECK(Value::tuple({}).type_name() == "tuple");
  CHECK(Value(Dict{}).type_name() == "dict");
  CHECK(Value(DateTime{}).type_name() == "datetime");
}

}  // namespace
}  // namespace tare::base
