#include "hub/client.h"

#include <doctest/doctest.h>

using namespace tare::hub;
using namespace std::chrono_literals;

TEST_CASE("retry_after: seconds or an HTTP date, else nothing") {
  // RFC 9110, section 10.2.3: Fri, 31 Dec 1999 23:59:59 GMT is 946684799.
  const auto now = std::chrono::system_clock::from_time_t(946684789);
  CHECK(retry_after("120", now) == 120s);
  CHECK(retry_after("0", now) == 0s);
  CHECK(retry_after("Fri, 31 Dec 1999 23:59:59 GMT", now) == 10s);
  CHECK(retry_after("Fri, 31 Dec 1999 23:59:00 GMT", now) == 0s);
  CHECK_FALSE(retry_after("", now));
  CHECK_FALSE(retry_after("soon", now));
  CHECK_FALSE(retry_after("-5", now));
}

TEST_CASE("backoff doubles up to its limit") {
  Settings settings;
  settings.first_delay = 1s;
  settings.longest_delay = 10s;
  CHECK(backoff(settings, 1) == 1s);
  CHECK(backoff(settings, 2) == 2s);
  CHECK(backoff(settings, 4) == 8s);
  CHECK(backoff(settings, 5) == 10s);
  CHECK(backoff(settings, 4'000'000'000) == 10s);
}

TEST_CASE("range_start: the first byte of a Content-Range") {
  CHECK(range_start("bytes 5-9/10") == 5);
  CHECK(range_start("bytes 0-0/*") == 0);
  CHECK_FALSE(range_start("bytes */10"));
  CHECK_FALSE(range_start("items 5-9/10"));
  CHECK_FALSE(range_start("bytes 5"));
  CHECK_FALSE(range_start(""));
}

TEST_CASE("a text receiver has a limit and starts anew") {
  TextReceiver receiver(5);
  REQUIRE(receiver.take("abc"));
  CHECK_FALSE(receiver.take("def"));
  REQUIRE(receiver.restart());
  REQUIRE(receiver.take("fghij"));
  CHECK(receiver.text() == "fghij");
}
