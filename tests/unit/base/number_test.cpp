#include "base/number.h"

#include <doctest/doctest.h>

#include <limits>

#include "base/python.h"
#include "support/support.h"

namespace tare::base {
namespace {

TEST_CASE("reals read as float() reads them") {
  const Value file = test::load_cases("base/reals.json");
  for (const Value& test_case : file.find("read")->items()) {
    const std::string text = test_case.items()[0].as_string();
    CAPTURE(text);
    const auto number = read_real(text);
    REQUIRE(number.has_value());
    CHECK(python::repr(*number) == test_case.items()[1].as_string());
  }
}

TEST_CASE("what is no decimal text is refused") {
  const Value file = test::load_cases("base/reals.json");
  for (const Value& text : file.find("refused")->items()) {
    CAPTURE(text.as_string());
    CHECK_FALSE(read_real(text.as_string()).has_value());
  }
}

TEST_CASE("integers up to the ends of 64 bits") {
  CHECK(read_integer("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(read_integer("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK(read_integer("-8000000000000000", 16) == std::numeric_limits<std::int64_t>::min());
  CHECK(read_integer("+0017") == 17);
  CHECK(read_integer("0017", 8) == 15);
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "18446744073709551616",
                           "", "-", "+", "--1", "+-1", "-+1", " 1", "1 ", "1.0", "0x1", "a"})
    CHECK_FALSE(read_integer(text).has_value());
  CHECK_FALSE(read_integer("8", 8).has_value());
}

}  // namespace
}  // namespace tare::base
