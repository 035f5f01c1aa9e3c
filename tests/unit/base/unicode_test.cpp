#include "base/unicode.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "support/support.h"

namespace tare::base::unicode {
namespace {

constexpr char32_t kEnd = 0x110000;

/// Compares a property with the code points at which CPython's answer changes.
void check_property(const std::string& name, const Value& switches, bool (*property)(char32_t)) {
  CAPTURE(name);
  bool expected = false;
  std::size_t next = 0;
  int wrong = 0;
  for (char32_t c = 0; c < kEnd; ++c) {
    if (next < switches.items().size() && switches.items()[next].as_int() == c) {
      expected = !expected;
      ++next;
    }
    if (property(c) == expected) continue;
    if (++wrong < 5) MESSAGE(name << " differs at code point " << std::uint32_t{c});
  }
  CHECK(wrong == 0);
  CHECK(next == switches.items().size());
}

TEST_CASE("properties of every code point are those of CPython") {
  const Value file = test::load_cases("base/code_points.json");
  const Value& switches = *file.find("switches");
  check_property("is_space", *switches.find("is_space"), is_space);
  check_property("is_digit", *switches.find("is_digit"), is_digit);
  check_property("is_printable", *switches.find("is_printable"), is_printable);
  check_property("is_alpha", *switches.find("is_alpha"), is_alpha);
  check_property("is_alnum", *switches.find("is_alnum"), is_alnum);
  check_property("is_upper", *switches.find("is_upper"), is_upper);
  check_property("is_lower", *switches.find("is_lower"), is_lower);
  check_property("is_punctuation", *switches.find("is_punctuation"), is_punctuation);
}

TEST_CASE("case mappings of every code point are those of CPython") {
  const Value file = test::load_cases("base/code_points.json");
  const List& cased = file.find("cased")->items();
  std::size_t next = 0;
  for (char32_t c = 0; c < kEnd; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string text = to_utf8(std::u32string_view(&c, 1));
    std::string expected_lower = text, expected_upper = text, expected_title = text;
    if (next < cased.size() && cased[next].items()[0].as_int() == c) {
      expected_lower = cased[next].items()[1].as_string();
      expected_upper = cased[next].items()[2].as_string();
      expected_title = cased[next].items()[3].as_string();
      ++next;
    }
    if (lower(text) != expected_lower || upper(text) != expected_upper ||
        title(text) != expected_title || capitalize(text) != expected_title)
      FAIL_CHECK("case of code point " << std::uint32_t{c});
  }
  CHECK(next == cased.size());
}

TEST_CASE("methods of str agree with CPython") {
  const Value file = test::load_cases("base/strings.json");
  for (const Value& test_case : file.find("cases")->items()) {
    auto field = [&](const char* name) { return test_case.find(name)->as_string(); };
    const std::string text = field("text");
    CAPTURE(field("repr"));
    CHECK(length(text) == static_cast<std::size_t>(test_case.find("length")->as_int()));
    CHECK(is_digit(std::string_view(text)) == test_case.find("digits")->as_bool());
    CHECK(lower(text) == field("lower"));
    CHECK(upper(text) == field("upper"));
    CHECK(capitalize(text) == field("capitalize"));
    CHECK(title(text) == field("title"));
    CHECK(strip(text) == field("strip"));
    CHECK(lstrip(text) == field("lstrip"));
    CHECK(rstrip(text) == field("rstrip"));
    const std::string padded = field("padded"), chars = field("chars");
    CHECK(strip(padded, chars) == field("strip_chars"));
    CHECK(lstrip(padded, chars) == field("lstrip_chars"));
    CHECK(rstrip(padded, chars) == field("rstrip_chars"));
    CHECK(to_utf8(to_utf32(text)) == text);
    CHECK(valid(text));
  }
}

TEST_CASE("the edges of UTF-8") {
  CHECK(to_utf8(U"\u007f\u0080\u07ff\u0800\uffff\U00010000\U0010ffff") ==
        "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
  std::string out;
  append(out, 0xD800);
  append(out, 0x110000);
  CHECK(out == "\ufffd\ufffd");
}

TEST_CASE("hostile bytes decode one at a time and are found") {
  struct Case {
    std::string bytes;
    std::size_t first_bad;
    std::size_t decoded;
  };
  const Case cases[] = {
      {"ab\xff", 2, 3},              // no lead byte
      {"\x80", 0, 1},                // a continuation alone
      {"\xc3", 0, 1},                // cut short
      {"\xc0\xaf", 0, 2},            // overlong
      {"\xe0\x80\xaf", 0, 3},        // overlong
      {"\xed\xa0\x80", 0, 3},        // a surrogate
      {"\xf4\x90\x80\x80", 0, 4},    // past U+10FFFF
      {"\xf0\x9f\x98", 0, 3},        // cut short
      {"\xc3\xa9\xc3", 2, 2},        // good, then cut short
      {"a\xe4\xb8\xad\xe4z", 4, 4},  // good, then no continuation
  };
  for (const Case& test_case : cases) {
    CAPTURE(test_case.first_bad);
    CHECK_FALSE(valid(test_case.bytes));
    CHECK(find_invalid(test_case.bytes) == test_case.first_bad);
    CHECK(length(test_case.bytes) == test_case.decoded);
    CHECK(to_utf32(test_case.bytes).size() == test_case.decoded);
  }
  CHECK(strip("\xff \xff ") == "\xff \xff");
  CHECK(rstrip("\xe3\x80\x80\x80") == "\xe3\x80\x80\x80");  // U+3000, then a stray byte
}

}  // namespace
}  // namespace tare::base::unicode
