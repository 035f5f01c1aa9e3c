#include "base/or_none.h"

#include <doctest/doctest.h>

#include <limits>

using tare::base::List;
using tare::base::or_none;
using tare::base::Value;

namespace {

struct Range {
  double low = 0, high = 0;
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("what is unknown is none and never zero") {
  CHECK(or_none(std::optional<double>()).is_none());
  CHECK(or_none(std::optional<std::size_t>()).is_none());
  CHECK(or_none(std::optional<Range>()).is_none());
  CHECK(or_none(std::string()).is_none());
}

TEST_CASE("what is known is itself, zero too") {
  CHECK(or_none(std::optional(0.0)).is_real());
  CHECK(or_none(std::optional<std::size_t>(0)).is_int());
  CHECK(or_none(std::string("0")) == Value("0"));
  CHECK(or_none(std::optional(Range{-1.5, 2})) == Value(List{-1.5, 2.0}));
}

TEST_CASE("a number that JSON cannot write is none") {
  CHECK(or_none(std::optional(kNan)).is_none());
  CHECK(or_none(std::optional(std::numeric_limits<double>::infinity())).is_none());
  CHECK(or_none(std::optional(Range{0, kNan})).is_none());
}
