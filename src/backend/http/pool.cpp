#include "backend/http/pool.h"

#include <algorithm>
#include <cmath>

namespace tare::backend::http {
namespace {

constexpr unsigned kFailuresToRest = 3;
/// Weight of the newest answer in the moving mean.
constexpr double kNewest = 0.2;

}  // namespace

std::chrono::milliseconds jittered_delay(const Limits& limits, unsigned failed,
                                         base::PythonRandom& random) {
  std::chrono::milliseconds most = limits.first_delay;
  for (unsigned i = 1; i < failed && most < limits.longest_delay; ++i) most *= 2;
  most = std::min(most, limits.longest_delay);
  const double drawn = random.random() * static_cast<double>(most.count());
  return std::chrono::milliseconds(std::llround(drawn));
}

EndpointPool::EndpointPool(std::size_t endpoints, const Limits& limits)
    : limits_(limits), random_(limits.jitter_seed), states_(endpoints) {}

bool EndpointPool::sick(const State& endpoint) const {
  return endpoint.unreached || endpoint.failures >= kFailuresToRest;
}

bool EndpointPool::has_place(const State& endpoint, Time now) const {
  return now >= endpoint.rest_until && endpoint.in_flight < limits_.concurrency;
}

std::optional<std::size_t> EndpointPool::choose(Time now) const {
  const bool all_sick =
      std::ranges::all_of(states_, [&](const State& endpoint) { return sick(endpoint); });
  std::optional<std::size_t> best;
  double soonest = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const State& endpoint = states_[i];
    if (!has_place(endpoint, now)) continue;
    if (sick(endpoint) && endpoint.in_flight == 0) return i;  // see whether it is well again
    // Where all fail, the calls may be to blame, and resting would only take time.
    if (sick(endpoint) && (endpoint.unreached || !all_sick)) continue;
    const double expected = endpoint.seconds_per_call * static_cast<double>(endpoint.in_flight + 1);
    if (best && expected >= soonest) continue;
    best = i;
    soonest = expected;
  }
  return best;
}

std::optional<EndpointPool::Time> EndpointPool::next_wake(Time now) const {
  std::optional<Time> first;
  for (const State& endpoint : states_)
    if (endpoint.rest_until > now && (!first || endpoint.rest_until < *first))
      first = endpoint.rest_until;
  return first;
}

bool EndpointPool::given_up(Time now) const {
  return std::ranges::all_of(states_, [&](const State& endpoint) {
    return endpoint.unreached && endpoint.in_flight == 0 &&
           now - endpoint.unreached_since >= limits_.patience;
  });
}

void EndpointPool::begin(std::size_t endpoint) {
  ++states_[endpoint].in_flight;
}

void EndpointPool::end(std::size_t place, Health health, std::chrono::duration<double> took,
                       Time now) {
  State& endpoint = states_[place];
  // The share of this call in the time: others were under way in it.
  const double seconds = took.count() / static_cast<double>(endpoint.in_flight);
  --endpoint.in_flight;
  if (health == Health::failed || health == Health::unreached) return fail(endpoint, health, now);
  endpoint.unreached = false;
  if (health == Health::busy) return;
  endpoint.failures = 0;
  endpoint.rests = 0;
  endpoint.seconds_per_call = endpoint.seconds_per_call == 0
                                  ? seconds
                                  : std::lerp(endpoint.seconds_per_call, seconds, kNewest);
}

void EndpointPool::fail(State& endpoint, Health health, Time now) {
  ++endpoint.failures;
  const bool nothing = health == Health::unreached;
  if (nothing && !endpoint.unreached) endpoint.unreached_since = now;
  endpoint.unreached = nothing;
  const bool alone = states_.size() == 1 && !nothing;
  // Calls that were under way when the rest began end in it and say nothing new.
  if (!sick(endpoint) || alone || now < endpoint.rest_until) return;
  endpoint.rest_until = now + jittered_delay(limits_, ++endpoint.rests, random_);
}

void EndpointPool::abandon(std::size_t endpoint) {
  --states_[endpoint].in_flight;
}

void EndpointPool::pause(std::size_t endpoint, Time until) {
  states_[endpoint].rest_until = std::max(states_[endpoint].rest_until, until);
}

void EndpointPool::limit_concurrency(std::size_t calls) {
  limits_.concurrency = std::max<std::size_t>(1, std::min(limits_.concurrency, calls));
}

}  // namespace tare::backend::http
