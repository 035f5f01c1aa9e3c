#include "run/progress.h"

#include <doctest/doctest.h>

namespace tare::run {

TEST_CASE("nothing is estimated before there is something to measure") {
  const Pace start = pace({.requests_total = 10, .tokens_total = 100}, 0);
  CHECK_FALSE(start.requests_per_second);
  CHECK_FALSE(start.tokens_per_second);
  CHECK_FALSE(start.seconds_left);
  CHECK(progress_line({.requests_total = 10, .tokens_total = 100}, 0, 100) ==
        "[>                   ] 0/10   0 %");
}

TEST_CASE("the time left follows from tokens, not from requests") {
  const Pace half = pace({5, 10, 20, 100}, 2);
  CHECK(half.requests_per_second == doctest::Approx(2.5));
  CHECK(half.tokens_per_second == doctest::Approx(10));
  CHECK(half.seconds_left == doctest::Approx(8));
  CHECK(progress_line({5, 10, 20, 100}, 2, 100) ==
        "[==========>         ] 5/10  50 %  2.5 items/s  10 tokens/s  0:08 left");
  CHECK(progress_line({5, 10, 20, 100}, 2, 30) == "[==========>         ] 5/10  5");
}

TEST_CASE("the end is shown as a full bar") {
  CHECK(progress_line({10, 10, 100, 100}, 4, 24) == "[====================] 1");
}

TEST_CASE("clock text") {
  CHECK(clock_text(0) == "0:00");
  CHECK(clock_text(59.6) == "1:00");
  CHECK(clock_text(3599.4) == "59:59");
  CHECK(clock_text(3723) == "1:02:03");
}

}  // namespace tare::run
