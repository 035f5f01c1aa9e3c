#include "run/progress.h"

#include <doctest/doctest.h>

namespace tare::run {

TEST_CASE("nothing is told before there is something to measure") {
  const Progress start{.requests_total = 10, .scored_total = 100};
  CHECK(progress_line(start, 0, std::nullopt, 100) == "score    [>                   ] 0/10   0 %");
}

TEST_CASE("the line has the rate of unique and new tokens, and what sharing saves") {
  Progress half{.requests_done = 5, .requests_total = 10, .asked_done = 80, .scored_done = 20};
  CHECK(progress_line(half, 2, 8.0, 100) ==
        "score    [==========>         ] 5/10  50 %  10 tokens/s  75 % saved  0:08 left");
  CHECK(progress_line(half, 2, 8.0, 39) == "score    [==========>         ] 5/10  5");
  half.asked_done = 20;
  half.generated = 40;
  CHECK(progress_line(half, 2, std::nullopt, 100) ==
        "score    [==========>         ] 5/10  50 %  30 tokens/s");
}

TEST_CASE("bytes are called so") {
  const Progress some{.requests_done = 5, .requests_total = 10, .bytes = true, .scored_done = 20};
  CHECK(progress_line(some, 2, std::nullopt, 100) ==
        "score    [==========>         ] 5/10  50 %  10 bytes/s");
}

TEST_CASE("the end is shown as a full bar") {
  CHECK(progress_line({.requests_done = 10, .requests_total = 10}, 4, 0.0, 33) ==
        "score    [====================] 1");
}

TEST_CASE("failures are told while they happen") {
  const Progress some{.requests_done = 4, .requests_total = 8, .requests_failed = 3};
  CHECK(progress_line(some, 2, 1.0, 100) ==
        "score    [==========>         ] 4/8  50 %  3 failed  0:01 left");
}

TEST_CASE("phases have names in the order of a run") {
  CHECK(phase_name(Phase::load) == "load");
  CHECK(phase_name(Phase::generate) == "generate");
  CHECK(phase_name(Phase::write) == "write");
}

TEST_CASE("clock text") {
  CHECK(clock_text(0) == "0:00");
  CHECK(clock_text(59.6) == "1:00");
  CHECK(clock_text(3599.4) == "59:59");
  CHECK(clock_text(3723) == "1:02:03");
}

}  // namespace tare::run
