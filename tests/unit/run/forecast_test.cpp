#include "run/forecast.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/support.h"

namespace tare::run {
namespace {

struct Event {
  Progress progress;
  double seconds = 0;
};

std::vector<Event> events_of(const base::Value& run) {
  std::vector<Event> events;
  for (const base::Value& line : run.find("events")->items()) {
    const auto& fields = line.items();
    const auto count = [&](std::size_t i) {
      return static_cast<std::size_t>(fields[i].as_number());
    };
    Event event;
    event.progress.phase = fields[0].as_string() == "generate" ? Phase::generate : Phase::score;
    event.seconds = fields[1].as_number();
    event.progress.scored_done = count(2);
    event.progress.scored_total = count(3);
    event.progress.prompts_done = count(4);
    event.progress.prompts_total = count(5);
    event.progress.answers_done = count(6);
    event.progress.answers_total = count(7);
    event.progress.generated = count(8);
    event.progress.growing = count(9);
    event.progress.places = count(10);
    event.progress.generated_most = count(11);
    event.progress.work_done = fields[12].as_number();
    event.progress.work_total = fields[13].as_number();
    event.progress.projection = fields[14].as_number();
    events.push_back(event);
  }
  return events;
}

}  // namespace

TEST_CASE("after a fifth of a recorded run the time is known to a fifth") {
  const auto document = test::load_cases("run/progress.json");
  const auto& runs = document.find("cases")->items();
  CHECK(runs.size() >= 7);
  for (const base::Value& run : runs) {
    const auto events = events_of(run);
    const double total = events.back().seconds;
    const auto& known = run.find("known")->items();
    Forecast forecast(known.empty() ? Speeds{}
                                    : Speeds{known[0].as_number(), known[1].as_number()});
    std::size_t judged = 0;
    for (const Event& event : events) {
      forecast.observe(event.progress, event.seconds);
      if (event.seconds < 0.2 * total) continue;
      CAPTURE(run.find("name")->as_string());
      CAPTURE(event.seconds / total);
      const auto left = forecast.seconds_left();
      REQUIRE(left);
      CHECK(std::abs(event.seconds + *left - total) <= 0.2 * total);
      ++judged;
    }
    CHECK(judged >= 2);
  }
}

TEST_CASE("what is left to score is weighed by what it costs, where that is planned") {
  Progress work{.scored_done = 10, .scored_total = 100};
  work.work_done = 20;
  work.work_total = 500;
  Forecast forecast;
  forecast.observe(work, 1);
  work.scored_done = 90;  // the tokens are nearly through, their logits are not
  work.work_done = 120;
  forecast.observe(work, 2);
  CHECK(forecast.seconds_left() == doctest::Approx(380 / 100.0));
}

TEST_CASE("where a row of logits costs much, prompts are cheap beside answers") {
  const auto expected = [](double projection) {
    Progress work{.prompts_total = 100, .answers_total = 16, .generated_most = 16};
    work.projection = projection;
    return *expected_seconds(work, {std::nullopt, 1.0});
  };
  CHECK(expected(0) == doctest::Approx(0.45 * 100 + 16));
  CHECK(expected(0.27) == doctest::Approx(expected(0)));
  CHECK(expected(1.54) == doctest::Approx(0.45 / 2 * 100 + 16));
}

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
