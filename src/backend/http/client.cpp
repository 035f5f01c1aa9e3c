#include "backend/http/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "backend/http/judge.h"
#include "backend/http/pool.h"
#include "base/json.h"

namespace tare::backend::http {
namespace {

using Time = Transport::Time;
using std::chrono::milliseconds;

/// How often it is looked whether the user wants to stop.
constexpr milliseconds kStopCheck{100};
/// Between two looks at servers that are being started.
constexpr milliseconds kStartPause{500};
constexpr unsigned kAskAttempts = 3;
constexpr long kNotReady = 503;

void pass_time(Transport& transport, milliseconds time) {
  for (const Time end = transport.now() + time; transport.now() < end;)
    transport.wait(std::chrono::ceil<milliseconds>(end - transport.now()));
}

}  // namespace

std::string url_of(const std::string& endpoint, const Call& call) {
  return (call.at_root ? root_of(endpoint) : endpoint) + call.path;
}

struct Client::State {
  State(Servers the_servers, std::unique_ptr<Transport> the_transport)
      : servers(std::move(the_servers)),
        transport(the_transport ? std::move(the_transport) : curl_transport(servers)),
        pool(servers.endpoints.size(), servers.limits),
        random(servers.limits.jitter_seed) {}

  Servers servers;
  std::unique_ptr<Transport> transport;
  EndpointPool pool;
  base::PythonRandom random;
  std::size_t last_id = 0;
};

namespace {

/// One call of a run between its attempts.
struct Job {
  std::size_t index = 0;
  unsigned failed = 0;  ///< attempts
};

/// Calls in flight, waiting, and not begun yet.
template <class State>
class Run {
 public:
  Run(State& state, std::size_t count, const Client::CallOf& call, const Client::Done& done)
      : state_(state), transport_(*state.transport), count_(count), call_(call), done_(done) {}

  base::Status go(const std::stop_token& stop) {
    for (;;) {
      if (stop.stop_requested()) return stopped();
      launch();
      if (flights_.empty()) {
        if (waiting_.empty() && next_ == count_) return {};
        if (state_.pool.given_up(transport_.now())) return nobody();
      }
      for (Reply& reply : transport_.wait(nap())) settle(std::move(reply));
    }
  }

 private:
  struct Flight {
    Job job;
    std::size_t endpoint = 0;
    Time since;
  };

  void launch() {
    const Time now = transport_.now();
    while (const std::optional<Job> job = ready(now)) {
      const std::optional<std::size_t> endpoint = state_.pool.choose(now);
      if (!endpoint) return;
      take(*job);
      Call call = call_(job->index);
      const std::string& base = state_.servers.endpoints[*endpoint];
      state_.pool.begin(*endpoint);
      flights_.emplace(++state_.last_id, Flight{*job, *endpoint, now});
      transport_.start({state_.last_id, url_of(base, call), std::move(call.body)});
    }
  }

  /// What comes next, without taking it: those that failed before those that are new.
  [[nodiscard]] std::optional<Job> ready(Time now) const {
    if (!waiting_.empty() && waiting_.begin()->first <= now) return waiting_.begin()->second;
    if (next_ < count_) return Job{next_, 0};
    return std::nullopt;
  }

  void take(const Job& job) {
    if (next_ < count_ && job.index == next_) {
      ++next_;
    } else {
      waiting_.erase(waiting_.begin());
    }
  }

  [[nodiscard]] milliseconds nap() const {
    const Time now = transport_.now();
    Time until = now + kStopCheck;
    if (!waiting_.empty()) until = std::min(until, std::max(now, waiting_.begin()->first));
    if (const auto wake = state_.pool.next_wake(now)) until = std::min(until, *wake);
    // Work that is due and has no place waits for a reply, not in a busy loop.
    return std::max(milliseconds(1), std::chrono::ceil<milliseconds>(until - now));
  }

  void settle(Reply reply) {
    const auto at = flights_.find(reply.id);
    if (at == flights_.end()) return;
    const Flight flight = at->second;
    flights_.erase(at);
    scrub(reply, state_.servers.key);
    const Time now = transport_.now();
    state_.pool.end(flight.endpoint, health_of(reply), now - flight.since, now);
    obey(reply, flight.endpoint, now);
    if (reply.end == Reply::End::unreached) unreached_ = reply.why;
    const Judged judged = judge(reply, state_.servers.limits);
    finish(flight.job, judged, std::move(reply.body), now);
  }

  /// The server knows best when to come back.
  void obey(const Reply& reply, std::size_t endpoint, Time now) {
    if (reply.end != Reply::End::answered || !reply.retry_after) return;
    if (reply.status != 429 && reply.status != 503) return;
    const milliseconds told =
        std::min<milliseconds>(std::chrono::duration_cast<milliseconds>(*reply.retry_after),
                               state_.servers.limits.longest_told);
    state_.pool.pause(endpoint, now + told);
  }

  void finish(Job job, const Judged& judged, std::string body, Time now) {
    switch (judged.kind) {
      case Judged::Kind::good:
        return done_(job.index, std::move(body));
      case Judged::Kind::final:
        return done_(job.index, tl::unexpected(core::RequestFailure{judged.reason}));
      case Judged::Kind::elsewhere:
        waiting_.emplace(now, job);
        return;
      case Judged::Kind::again:
        break;
    }
    const unsigned most = state_.servers.limits.attempts;
    if (++job.failed >= most)
      return done_(job.index, tl::unexpected(core::RequestFailure{
                                  fmt::format("{} after {} attempts", judged.reason, most)}));
    waiting_.emplace(now + jittered_delay(state_.servers.limits, job.failed, state_.random), job);
  }

  base::Status stopped() {
    for (const auto& entry : flights_) state_.pool.abandon(entry.second.endpoint);
    transport_.cancel();
    return base::fail(base::ErrorKind::interrupted, "stopped by the user");
  }

  [[nodiscard]] base::Status nobody() const {
    const auto& endpoints = state_.servers.endpoints;
    const std::string others =
        endpoints.size() == 1 ? "" : fmt::format(" and {} more", endpoints.size() - 1);
    return base::work_failed(fmt::format(
        "no server answers: {}{} ({}), asked for {} s; start it again and resume the run",
        endpoints.front(), others, unreached_,
        std::chrono::duration<double>(state_.servers.limits.patience).count()));
  }

  State& state_;
  Transport& transport_;
  std::size_t count_;
  const Client::CallOf& call_;
  const Client::Done& done_;
  std::size_t next_ = 0;              ///< the first call not begun yet
  std::multimap<Time, Job> waiting_;  ///< by when they are due
  std::map<std::size_t, Flight> flights_;
  std::string unreached_;  ///< why, the last time
};

}  // namespace

Client::Client(Servers servers) : Client(std::move(servers), nullptr) {}

Client::Client(Servers servers, std::unique_ptr<Transport> transport)
    : state_(std::make_unique<State>(std::move(servers), std::move(transport))) {}

Client::~Client() = default;

const std::vector<std::string>& Client::endpoints() const {
  return state_->servers.endpoints;
}

const Limits& Client::limits() const {
  return state_->servers.limits;
}

void Client::limit_concurrency(std::size_t calls) {
  state_->pool.limit_concurrency(calls);
}

base::Status Client::run(std::size_t count, const CallOf& call, const Done& done,
                         std::stop_token stop) {
  return Run<State>(*state_, count, call, done).go(stop);
}

void Client::await_start(const Call& call, std::size_t least) {
  Transport& transport = *state_->transport;
  const Time end = transport.now() + state_->servers.limits.start_patience;
  const auto ready = [&](const std::string& endpoint) {
    const Reply reply = ask_at(endpoint, call);
    return reply.end != Reply::End::unreached && reply.status != kNotReady;
  };
  while (transport.now() < end) {
    if (static_cast<std::size_t>(std::ranges::count_if(endpoints(), ready)) >= least) return;
    pass_time(transport, kStartPause);
  }
}

Reply Client::ask(const Call& call, std::size_t endpoint) {
  return ask_at(endpoints()[endpoint], call);
}

Reply Client::ask_at(const std::string& base, const Call& call) {
  Transport& transport = *state_->transport;
  const Limits& limits = state_->servers.limits;
  const unsigned most = std::min(kAskAttempts, limits.attempts);
  for (unsigned failed = 0;;) {
    const std::size_t id = ++state_->last_id;
    transport.start({id, url_of(base, call), call.body});
    std::vector<Reply> replies;
    while (replies.empty()) replies = transport.wait(kStopCheck);
    Reply& reply = replies.front();
    scrub(reply, state_->servers.key);
    if (judge(reply, limits).kind != Judged::Kind::again || ++failed >= most)
      return std::move(reply);
    milliseconds delay = jittered_delay(limits, failed, state_->random);
    if (reply.retry_after) delay = std::min<milliseconds>(*reply.retry_after, limits.longest_told);
    pass_time(transport, delay);
  }
}

base::Result<base::Value> Client::ask_json(const Call& call, std::size_t endpoint) {
  const std::string url = url_of(endpoints()[endpoint], call);
  const Reply reply = ask(call, endpoint);
  const Judged judged = judge(reply, state_->servers.limits);
  if (judged.kind != Judged::Kind::good)
    return base::work_failed(fmt::format("{}: {}", url, judged.reason));
  auto value = base::json::parse(reply.body);
  if (!value) return base::in_context(url, value.error());
  return *value;
}

}  // namespace tare::backend::http
