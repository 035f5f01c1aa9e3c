#include "backend/http/pool.h"

#include <doctest/doctest.h>

using namespace tare::backend::http;
using namespace std::chrono_literals;
using Time = EndpointPool::Time;

TEST_CASE("jittered_delay: spread over a range that doubles up to its limit, by the seed") {
  Limits limits;
  limits.first_delay = 1s;
  limits.longest_delay = 10s;
  tare::base::PythonRandom random(1), same(1);
  for (const unsigned failed : {1U, 2U, 4U, 5U, 4'000'000'000U}) {
    const std::chrono::milliseconds most = failed == 1   ? 1s
                                           : failed == 2 ? 2s
                                           : failed == 4 ? 8s
                                                         : 10s;
    std::chrono::milliseconds low = 1h, high = 0s;
    for (int i = 0; i < 1000; ++i) {
      const auto delay = jittered_delay(limits, failed, random);
      CHECK(delay == jittered_delay(limits, failed, same));
      low = std::min(low, delay);
      high = std::max(high, delay);
    }
    CHECK(low < most / 50);
    CHECK(high <= most);
    CHECK(high > most - most / 50);
  }
}

TEST_CASE("pool: endpoints not measured yet come first, then who is expected to end first") {
  EndpointPool pool(2, {});
  const Time now{};
  CHECK(pool.choose(now) == 0);
  pool.begin(0);
  pool.end(0, Health::good, 1s, now);
  CHECK(pool.choose(now) == 1);
  pool.begin(1);
  pool.end(1, Health::good, 3s, now);
  // 1, 2, 3 s at the first; the third there ends with the first at the second.
  for (const std::size_t expected : {0U, 0U, 0U}) {
    const auto place = pool.choose(now);
    REQUIRE(place == expected);
    pool.begin(*place);
  }
  CHECK(pool.choose(now) == 1);
}

TEST_CASE("pool: a full endpoint takes nothing, a pause holds all") {
  Limits limits;
  limits.concurrency = 2;
  EndpointPool pool(1, limits);
  const Time now{};
  pool.begin(0);
  pool.begin(0);
  CHECK_FALSE(pool.choose(now));
  pool.abandon(0);
  CHECK(pool.choose(now) == 0);
  pool.pause(0, now + 5s);
  pool.pause(0, now + 2s);
  CHECK_FALSE(pool.choose(now + 4s));
  CHECK(pool.next_wake(now) == now + 5s);
  CHECK(pool.choose(now + 5s) == 0);
  CHECK_FALSE(pool.next_wake(now + 5s));
}

TEST_CASE("pool: given up only when nothing was there for the whole patience, anywhere") {
  Limits limits;
  limits.patience = 10s;
  EndpointPool pool(2, limits);
  Time now{};
  const auto miss = [&](std::size_t endpoint) {
    pool.begin(endpoint);
    pool.end(endpoint, Health::unreached, 1ms, now);
  };
  miss(0);
  miss(1);
  now += 9s;
  miss(0);
  CHECK_FALSE(pool.given_up(now));
  now += 2s;
  CHECK(pool.given_up(now));
  pool.begin(1);
  CHECK_FALSE(pool.given_up(now));
  pool.end(1, Health::failed, 1ms, now);  // somebody is there
  CHECK_FALSE(pool.given_up(now));
}

TEST_CASE("pool: one endpoint that fails at its calls is not left alone, it may be the calls") {
  EndpointPool pool(1, {});
  const Time now{};
  for (int i = 0; i < 10; ++i) {
    REQUIRE(pool.choose(now) == 0);
    pool.begin(0);
    pool.end(0, Health::failed, 1ms, now);
  }
  pool.begin(0);
  CHECK(pool.choose(now) == 0);
}
