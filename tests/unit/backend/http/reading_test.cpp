#include "backend/http/reading.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>

using namespace tare::backend::http;
using tare::base::Value;

TEST_CASE("refusal: the server's words, where they are, without numbers and in one line") {
  CHECK(refusal(400, R"({"error": {"message": "too long: 12\n345"}})") ==
        "HTTP 400: too long: # #");
  CHECK(refusal(400, R"({"error": "bad"})") == "HTTP 400: bad");
  CHECK(refusal(400, R"({"message": "bad"})") == "HTTP 400: bad");
  CHECK(refusal(422, R"({"detail": "bad"})") == "HTTP 422: bad");
  CHECK(refusal(404, "<html>") == "HTTP 404");
  CHECK(refusal(404, R"({"error": {"code": 5}})") == "HTTP 404");
  const std::string long_words(159, 'x');
  CHECK(refusal(400, R"({"error": ")" + long_words + "\u00e9yz\"}") ==
        "HTTP 400: " + long_words + "...");
}

TEST_CASE("log_probability takes numbers up to 0, and rounding above") {
  CHECK(*log_probability(Value(-1.5)) == -1.5);
  CHECK(*log_probability(Value(0)) == 0);
  CHECK(*log_probability(Value(1e-7)) == 1e-7);
  CHECK(log_probability(Value()).error().reason == "a log-probability is null");
  CHECK(log_probability(Value("-1")).error().reason == "a log-probability is no number");
  CHECK(log_probability(Value(0.01)).error().reason == "a log-probability is positive");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(log_probability(Value(kNan)).error().reason == "a log-probability is NaN");
  CHECK(log_probability(Value(-kInfinity)).error().reason == "a log-probability is infinite");
}

TEST_CASE("checked_sum: one certain token is possible, a text of them is not") {
  const std::array zero{0.0};
  const std::array some{-1.0, -0.5};
  CHECK(*checked_sum(zero, {}) == 0);
  CHECK(*checked_sum(zero, some) == 0);
  CHECK(*checked_sum(some, zero) == -1.5);
  CHECK(checked_sum(zero, zero).error().reason == "all log-probabilities are zero");
}

TEST_CASE("check_prompt_tokens: a cut prompt is told from one with tokens added") {
  CHECK(check_prompt_tokens(5, 5));
  CHECK(check_prompt_tokens({}, 5));
  CHECK(check_prompt_tokens(5, {}));
  CHECK(check_prompt_tokens(4, 5).error().reason ==
        "the server cut the prompt: it read fewer tokens than were sent");
  CHECK(check_prompt_tokens(6, 5).error().reason ==
        "the server read more prompt tokens than were sent");
}

TEST_CASE("characters: as Python counts them") {
  CHECK(characters("") == 0);
  CHECK(characters("a\u00e9\u3002\U0001F600") == 4);
}
