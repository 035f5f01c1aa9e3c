#include "floor/divergences.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "floor/window_text.h"

namespace tare::floor {
namespace {

const WindowRows kReference{
    .divergence = {}, .truth = {-1, -2, -4, -8}, .same_top = {}, .equal = {}};
const WindowRows kFirst{.divergence = {0, 0.5, 0.25, 1},
                        .truth = {-1, -2.5, -3.75, -7},
                        .same_top = {true, true, false, true},
                        .equal = {true, false, false, false}};
const WindowRows kSecond{.divergence = {3}, .truth = {-1}, .same_top = {false}, .equal = {false}};
const WindowRows kOther{.divergence = {}, .truth = {-2}, .same_top = {}, .equal = {}};

}  // namespace

TEST_CASE("windows of a setting are put together position by position") {
  const std::array setting{&kFirst, &kSecond}, reference{&kReference, &kOther};
  const auto all = summarize(setting, reference);
  REQUIRE(all);
  CHECK(all->positions == 5);
  CHECK(all->mean == doctest::Approx(0.95));
  CHECK(all->median == 0.5);
  CHECK(all->p99 == doctest::Approx(1 + 0.96 * 2));
  CHECK(all->most == 3);
  CHECK(all->mean_change == doctest::Approx((0 + 0.5 + 0.25 + 1 + 1) / 5));
  CHECK(all->most_change == 1);
  CHECK(all->same_top == doctest::Approx(0.6));
  CHECK(all->equal == doctest::Approx(0.2));
  CHECK_FALSE(all->all_equal());
  CHECK(all->histogram.zero == 1);
  CHECK(std::accumulate(all->histogram.counts.begin(), all->histogram.counts.end(), 0U) == 4);
  CHECK(*mean_loss(reference) == doctest::Approx(17.0 / 5));
}

TEST_CASE("a histogram counts each position once, the ends of its scale too") {
  Histogram histogram;
  for (const double one : {0.0, 1e-300, 1.01e-12, 1e-3, 1.7e-3, 1.8e-3, 99.0, 1e9, HUGE_VAL})
    histogram.add(one);
  CHECK(histogram.zero == 1);
  CHECK(histogram.counts.front() == 2);
  CHECK(histogram.counts[36] == 2);  // nine decades up, from 1e-3 to 1.78e-3
  CHECK(histogram.counts[37] == 1);
  CHECK(histogram.counts.back() == 3);
}

TEST_CASE("no positions give no numbers") {
  CHECK_FALSE(summarize({}, {}));
  CHECK_FALSE(mean_loss({}));
}

TEST_CASE("a token that cannot come either way has not changed") {
  WindowRows never = kOther, still = kSecond;
  never.truth = still.truth = {-INFINITY};
  const std::array setting{&still}, reference{&never};
  CHECK(summarize(setting, reference)->most_change == 0);
}

TEST_CASE("rows come back from text bit for bit") {
  const WindowResult before{kFirst, "ab12", 0.1};
  const auto after = parse_window(window_text(before));
  REQUIRE(after);
  CHECK(after->rows.divergence == before.rows.divergence);
  CHECK(after->rows.truth == before.rows.truth);
  CHECK(after->rows.same_top == before.rows.same_top);
  CHECK(after->rows.equal == before.rows.equal);
  CHECK(after->sha256 == "ab12");
  CHECK(after->seconds == 0.1);
}

TEST_CASE("damaged rows are refused") {
  for (const char* text :
       {"", "3", "{}", R"({"divergence": [1], "log_p": [1, 2], "same_top": "1", "equal": "1"})",
        R"({"divergence": [1], "log_p": [1], "same_top": "1", "equal": "11"})",
        R"({"divergence": ["x"], "log_p": [1], "same_top": "1", "equal": "1"})"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_window(text));
  }
}

}  // namespace tare::floor
