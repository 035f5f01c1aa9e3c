#include "text/regex.h"

#include <doctest/doctest.h>

#include <string>

#include "base/python.h"
#include "support/support.h"

namespace tare::text {
namespace {

using base::List;
using base::Value;

Value listed(const std::vector<std::optional<std::string>>& texts) {
  List out;
  for (const auto& text : texts) out.push_back(text ? Value(*text) : Value());
  return out;
}

Value listed(const std::vector<RegexMatch>& matches) {
  List out;
  for (const RegexMatch& match : matches) out.push_back(listed(match.groups));
  return out;
}

Value listed(const std::optional<RegexMatch>& match) {
  return match ? listed(match->groups) : Value();
}

void check_case(const Regex& regex, const Value& item) {
  const std::string text = item.find("text")->as_string();
  CAPTURE(base::python::repr(text));
  CHECK(listed(regex.find_all(text).value()) == *item.find("find"));
  CHECK(listed(regex.split(text).value()) == *item.find("split"));
  CHECK(listed(regex.match(text).value()) == *item.find("match"));
  CHECK(listed(regex.full_match(text).value()) == *item.find("full"));
  const auto replaced = regex.sub(text, item.find("replacement")->as_string());
  if (item.find("sub")->is_none())
    CHECK_FALSE(replaced.has_value());
  else
    CHECK(replaced.value() == item.find("sub")->as_string());
}

TEST_CASE("expressions match as in Python") {
  const Value file = test::load_cases("regex/cases.json");
  int checked = 0;
  for (const Value& item : file.find("cases")->items()) {
    const std::string pattern = item.find("pattern")->as_string();
    CAPTURE(base::python::repr(pattern));
    const auto regex = Regex::compile(pattern);
    ++checked;
    if (item.find("refused") != nullptr) {
      CHECK_FALSE(regex.has_value());
      continue;
    }
    REQUIRE_MESSAGE(regex.has_value(), regex.error().text);
    check_case(*regex, item);
  }
  CHECK(checked >= 110);
}

TEST_CASE("a refused pattern is named with the place and the reason") {
  const auto regex = Regex::compile("(?<=a+)b");
  REQUIRE_FALSE(regex.has_value());
  CHECK(regex.error().kind == base::ErrorKind::input);
  CHECK(regex.error().text ==
        "regular expression '(?<=a+)b': look-behind requires fixed-width pattern at position 3");
}

TEST_CASE("an expression that would run for ever is an error") {
  const auto regex = Regex::compile("(a|aa)+$").value();
  const auto found = regex.search(std::string(100, 'a') + "b");
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().kind == base::ErrorKind::failed);
  CHECK(found.error().text.find("gave up") != std::string::npos);
}

TEST_CASE("bytes that are no UTF-8 count as one replacement character each") {
  const auto regex = Regex::compile("(.)b").value();
  CHECK(*regex
             .search("a\xFF"
                     "b")
             .value()
             ->groups[1] == "\uFFFD");
  CHECK_FALSE(Regex::compile("\xFF").has_value());
}

TEST_CASE("at most so many matches are replaced, and split at") {
  const auto regex = Regex::compile("a").value();
  CHECK(regex.sub("aaa", "b", 2).value() == "bba");
  CHECK(regex.split("xayaz", 1).value().size() == 2);
}

TEST_CASE("flags beside the pattern count as flags in it") {
  CHECK(Regex::compile("A.b", {.ignore_case = true, .dot_all = true})
            .value()
            .full_match("a\nB")
            .value()
            .has_value());
  CHECK_FALSE(Regex::compile("A").value().search("a").value().has_value());
}

TEST_CASE("an escaped text matches itself alone") {
  const std::string text = "a.b*(c)[d]{e}?+^$|\\ -#&~\n\t日";
  const auto regex = Regex::compile(regex_escape(text)).value();
  CHECK(regex.full_match(text).value().has_value());
  CHECK(regex_escape("a.b c") == "a\\.b\\ c");
}

}  // namespace
}  // namespace tare::text
