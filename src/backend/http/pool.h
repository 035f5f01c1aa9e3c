#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "backend/http/options.h"
#include "backend/http/transport.h"
#include "base/python_random.h"

namespace tare::backend::http {

/// How an attempt bears on the endpoint that it went to.
enum class Health {
  good,       ///< a whole answer that was no failure of the server
  busy,       ///< too much is asked of it (429)
  failed,     ///< it failed at this call (5xx, lost, too slow); the call may be to blame
  unreached,  ///< nothing is there
};

/// A pause before attempt `failed` + 1: evenly spread over [0, first_delay · 2^(failed - 1)], at
/// most longest_delay ("full jitter"; Brooker, Exponential Backoff And Jitter, 2015).
std::chrono::milliseconds jittered_delay(const Limits& limits, unsigned failed,
                                         base::PythonRandom& random);

/// Chooses the endpoint for each call. A call goes where it is expected to end first; an endpoint
/// that fails again and again gets one call at a time, after longer and longer pauses.
class EndpointPool {
 public:
  using Time = Transport::Time;

  EndpointPool(std::size_t endpoints, const Limits& limits);

  /// Where the next call should go now; nothing if all are full or resting.
  [[nodiscard]] std::optional<std::size_t> choose(Time now) const;
  /// When a rest ends; nothing if none is going on.
  [[nodiscard]] std::optional<Time> next_wake(Time now) const;
  /// Nothing has been there for Limits::patience, at any endpoint.
  [[nodiscard]] bool given_up(Time now) const;

  void begin(std::size_t endpoint);
  void end(std::size_t endpoint, Health health, std::chrono::duration<double> took, Time now);
  /// A call was given up before it ended.
  void abandon(std::size_t endpoint);
  void pause(std::size_t endpoint, Time until);
  void limit_concurrency(std::size_t calls);

 private:
  struct State {
    std::size_t in_flight = 0;
    double seconds_per_call = 0;  ///< moving mean over good answers; 0: not known yet
    unsigned failures = 0;        ///< in a row
    unsigned rests = 0;           ///< in a row
    bool unreached = false;       ///< so was the last one
    Time unreached_since{};
    Time rest_until{};
  };

  [[nodiscard]] bool sick(const State& endpoint) const;
  [[nodiscard]] bool has_place(const State& endpoint, Time now) const;
  void fail(State& endpoint, Health health, Time now);

  Limits limits_;
  base::PythonRandom random_;
  std::vector<State> states_;
};

}  // namespace tare::backend::http
