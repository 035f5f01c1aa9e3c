#include "run/forecast.h"

#include <doctest/doctest.h>

namespace tare::run {

TEST_CASE("a line goes through its first point and fits the others") {
  Line line;
  CHECK_FALSE(line.slope());
  line.add(1, 10);
  CHECK_FALSE(line.slope());
  line.add(2, 30);
  CHECK(line.slope() == doctest::Approx(20));
  line.add(3, 30);
  CHECK(line.slope() == doctest::Approx((1 * 20 + 2 * 20) / 5.0));
}

TEST_CASE("before there is anything to measure, speeds of earlier runs are taken") {
  const Progress start{
      .scored_total = 100, .prompts_total = 20, .answers_total = 2, .generated_most = 30};
  Forecast unknown;
  unknown.observe(start, 0);
  CHECK_FALSE(unknown.seconds_left());
  Forecast known({50.0, 10.0});
  known.observe(start, 0);
  CHECK(known.seconds_left() == doctest::Approx(100 / 50.0 + (0.45 * 20 + 16 * 15) / 10.0));
}

TEST_CASE("the last answers leave places empty until the longest has ended") {
  Progress work{.phase = Phase::generate, .answers_total = 34, .generated_most = 34 * 60};
  Forecast forecast;
  forecast.observe(work, 0);
  work.answers_done = 16;
  work.generated = 160;
  work.growing = 160;
  work.places = 320;
  forecast.observe(work, 10);  // 32 places a second, 20 tokens an answer, 60 at most
  CHECK(forecast.seconds_left() == doctest::Approx((2 * 20 + 16 * 60) / 32.0));
  work.answers_done = 33;
  forecast.observe(work, 10);  // the last one: 320 / 33 tokens
  CHECK(forecast.seconds_left() == doctest::Approx(16 * (320 / 33.0) / 32.0));
  work.answers_done = 34;
  forecast.observe(work, 10);
  CHECK(forecast.seconds_left() == doctest::Approx(0));
}

TEST_CASE("speeds are told after some seconds of work") {
  Progress work{.scored_done = 10, .scored_total = 1000};
  Forecast forecast;
  forecast.observe(work, 0.5);
  work.scored_done = 110;
  forecast.observe(work, 1.5);
  CHECK_FALSE(forecast.speeds().scored);
  work.scored_done = 410;
  forecast.observe(work, 4.5);
  CHECK(forecast.speeds().scored == doctest::Approx(100));
  CHECK_FALSE(forecast.speeds().generated);
}

}  // namespace tare::run
