#include "backend/http/client.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <memory>

#include "fake_transport.h"

using namespace tare;
using namespace tare::backend::http;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using End = Reply::End;

namespace {

/// What came of each call, and the transport to look at.
struct Outcome {
  std::map<std::size_t, Answer> answers;
  base::Status status;
};

struct Bench {
  explicit Bench(FakeTransport::Server server, Servers servers = {{"http://a/v1"}, "", "", {}}) {
    auto owned = std::make_unique<FakeTransport>(std::move(server));
    transport = owned.get();
    client = std::make_unique<Client>(std::move(servers), std::move(owned));
  }

  Outcome run(std::size_t count, std::stop_token stop = {}) const {
    Outcome outcome;
    const auto call = [](std::size_t i) { return Call{"/x", fmt::format("{}", i)}; };
    const auto done = [&](std::size_t i, Answer answer) {
      CHECK(outcome.answers.emplace(i, std::move(answer)).second);  // each once
    };
    outcome.status = client->run(count, call, done, std::move(stop));
    return outcome;
  }

  FakeTransport* transport = nullptr;
  std::unique_ptr<Client> client;
};

/// Fails the first `times` requests with each body, then answers.
FakeTransport::Server failing(int times, const Reply& failure) {
  const auto seen = std::make_shared<std::map<std::string, int>>();
  return [=](const Request& request, milliseconds) -> Served {
    if ((*seen)[request.body]++ < times) return {failure};
    return {answered(200, "{\"n\": " + request.body + "}")};
  };
}

}  // namespace

TEST_CASE("client: every call is answered once, no more under way than the limit") {
  Servers servers{{"http://a/v1"}, "", "", {}};
  servers.limits.concurrency = 7;
  const Bench bench(failing(0, {}), servers);
  const Outcome outcome = bench.run(100);
  REQUIRE(outcome.status);
  REQUIRE(outcome.answers.size() == 100);
  for (const auto& [i, answer] : outcome.answers) CHECK(*answer == fmt::format("{{\"n\": {}}}", i));
  CHECK(bench.transport->most_in_flight == 7);
  CHECK(bench.transport->asked.front().url == "http://a/v1/x");
}

TEST_CASE("client: what may pass is tried again, with words for what did not") {
  struct Case {
    Reply failure;
    std::string reason;
  };
  for (const Case& one : {
           Case{answered(429), "HTTP 429 after 5 attempts"},
           Case{answered(500), "HTTP 500 after 5 attempts"},
           Case{answered(503), "HTTP 503 after 5 attempts"},
           Case{broken(End::lost), "connection lost after 5 attempts"},
           Case{broken(End::timed_out), "no whole answer in 300 s after 5 attempts"},
           Case{answered(200, ""), "an empty answer after 5 attempts"},
           Case{answered(200, "<html>"), "a web page instead of JSON after 5 attempts"},
           Case{answered(200, "{\"choices\": [{"), "an answer that ends early after 5 attempts"},
           Case{answered(200, "gibberish"), "an answer that is no JSON after 5 attempts"},
       }) {
    CAPTURE(one.reason);
    const Outcome passes = Bench(failing(4, one.failure)).run(20);
    REQUIRE(passes.status);
    CHECK(passes.answers.size() == 20);
    for (const auto& entry : passes.answers) CHECK(entry.second);
    const Outcome fails = Bench(failing(5, one.failure)).run(20);
    REQUIRE(fails.status);
    CHECK(fails.answers.size() == 20);
    for (const auto& entry : fails.answers) {
      REQUIRE_FALSE(entry.second);
      CHECK(entry.second.error().reason == one.reason);
    }
  }
}

TEST_CASE("client: what will not pass is asked once") {
  struct Case {
    Reply failure;
    std::string reason;
  };
  for (const Case& one : {
           Case{answered(400, R"({"error": {"message": "prompt of 5012 tokens, limit 4096"}})"),
                "HTTP 400: prompt of # tokens, limit #"},
           Case{answered(404, "nothing here"), "HTTP 404"},
           Case{answered(302), "HTTP 302 (redirects are not followed)"},
           Case{broken(End::too_long), "an answer of more than 67108864 bytes"},
           Case{broken(End::impossible, "SSL peer certificate was not OK"),
                "SSL peer certificate was not OK"},
       }) {
    const Bench bench(failing(1, one.failure));
    const Outcome outcome = bench.run(1);
    REQUIRE(outcome.status);
    REQUIRE_FALSE(outcome.answers.at(0));
    CHECK(outcome.answers.at(0).error().reason == one.reason);
    CHECK(bench.transport->asked.size() == 1);
  }
}

TEST_CASE("client: Retry-After is obeyed, up to its limit") {
  Reply busy = answered(429);
  busy.retry_after = 7s;
  const Bench bench(failing(1, busy));
  REQUIRE(bench.run(1).answers.at(0));
  REQUIRE(bench.transport->asked.size() == 2);
  CHECK(bench.transport->asked[1].when - bench.transport->asked[0].when >= 7s);
  CHECK(bench.transport->asked[1].when - bench.transport->asked[0].when < 8s);

  busy.retry_after = 3600s;
  const Bench capped(failing(1, busy));
  REQUIRE(capped.run(1).answers.at(0));
  CHECK(capped.transport->asked[1].when >= 60s);
  CHECK(capped.transport->asked[1].when < 61s);
}

TEST_CASE("client: calls are given to endpoints by the speed that they show") {
  std::map<std::string, int> served;
  const auto server = [&](const Request& request, milliseconds) -> Served {
    const bool fast = request.url.starts_with("http://fast");
    ++served[fast ? "fast" : "slow"];
    return {answered(200), fast ? 10ms : 50ms};
  };
  const Bench bench(server, {{"http://slow/v1", "http://fast/v1"}, "", "", {}});
  const Outcome outcome = bench.run(1200);
  CHECK(outcome.answers.size() == 1200);
  // 16 places each: answers come five times as often from the fast one.
  CHECK(served["slow"] > 150);
  CHECK(served["slow"] < 300);
}

TEST_CASE("client: an endpoint that is down is left out and comes back") {
  std::map<std::string, int> refused, good;
  const auto server = [&](const Request& request, milliseconds now) -> Served {
    const bool b = request.url.starts_with("http://b");
    if (b && now < 5s) {
      ++refused[request.url];
      return {broken(End::unreached, "Couldn't connect to server"), 1ms};
    }
    ++good[request.url];
    return {answered(200), 100ms};
  };
  const Bench bench(server, {{"http://a", "http://b"}, "", "", {}});
  const Outcome outcome = bench.run(3000);
  REQUIRE(outcome.status);
  CHECK(outcome.answers.size() == 3000);
  for (const auto& entry : outcome.answers) CHECK(entry.second);
  // 16 at once before it is known, then one at a time after growing pauses.
  CHECK(refused["http://b/x"] < 40);
  CHECK(good["http://b/x"] > 100);
}

TEST_CASE("client: a server that is started again goes on") {
  const auto server = [](const Request&, milliseconds now) -> Served {
    if (now >= 1s && now < 1050ms) return {broken(End::lost), 1ms};
    if (now >= 1050ms && now < 20s) return {broken(End::unreached, "refused"), 1ms};
    return {answered(200), 100ms};
  };
  const Outcome outcome = Bench(server).run(500);
  REQUIRE(outcome.status);
  CHECK(outcome.answers.size() == 500);
  for (const auto& entry : outcome.answers) CHECK(entry.second);
}

TEST_CASE("client: when nobody answers any more the run ends, and what was answered stands") {
  const auto server = [](const Request&, milliseconds now) -> Served {
    if (now >= 1s) return {broken(End::unreached, "Couldn't connect to server"), 1ms};
    return {answered(200), 100ms};
  };
  const Bench bench(server);
  const Outcome outcome = bench.run(500);
  REQUIRE_FALSE(outcome.status);
  CHECK(outcome.status.error().kind == base::ErrorKind::failed);
  CHECK(outcome.status.error().text ==
        "no server answers: http://a/v1 (Couldn't connect to server), asked for 60 s; start it "
        "again and resume the run");
  CHECK(outcome.answers.size() == 160);
  CHECK(bench.transport->elapsed() >= 60s);
  CHECK(bench.transport->elapsed() < 120s);
}

TEST_CASE("client: a stop ends it at once") {
  std::stop_source stop;
  int served = 0;
  const auto server = [&](const Request&, milliseconds) -> Served {
    if (++served == 40) stop.request_stop();
    return {answered(200), 1000ms};
  };
  const Outcome outcome = Bench(server).run(500, stop.get_token());
  REQUIRE_FALSE(outcome.status);
  CHECK(outcome.status.error().kind == base::ErrorKind::interrupted);
  CHECK(outcome.answers.size() < 40);
}

TEST_CASE("client: the key stands in nothing that a server sends back") {
  const auto echoing = [](const Request&, milliseconds) -> Served {
    return {answered(401, R"({"error": {"message": "no such key: sk-12345"}})")};
  };
  const Bench bench(echoing, {{"http://a"}, "sk-12345", "", {}});
  CHECK(bench.run(1).answers.at(0).error().reason == "HTTP 401: no such key: [key]");
  const auto refused = bench.client->ask_json({"/models", ""});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text == "http://a/models: HTTP 401: no such key: [key]");
  CHECK(bench.client->ask({"/models", ""}).body.find("sk-12345") == std::string::npos);
}

TEST_CASE("client: asking one question waits for what may pass, not for who is not there") {
  const Bench passing(failing(2, answered(503)));
  CHECK(passing.client->ask({"/x", "1"}).status == 200);
  const Bench absent(failing(9, broken(End::unreached, "refused")));
  CHECK(absent.client->ask({"/x", "1"}).end == End::unreached);
  CHECK(absent.transport->asked.size() == 1);
}

TEST_CASE("client: a server that is being started is waited for as long as was said") {
  const auto server = [](const Request& request, milliseconds now) -> Served {
    if (request.url.starts_with("http://b")) return {answered(200)};
    if (now < 20s) return {broken(End::unreached, "Couldn't connect to server"), 1ms};
    if (now < 30s) return {answered(503), 1ms};  // loads its model
    return {answered(200)};
  };
  const auto waited = [&](milliseconds patience, std::vector<std::string> urls, std::size_t least) {
    Servers servers{std::move(urls), "", "", {}};
    servers.limits.start_patience = patience;
    const Bench bench(server, servers);
    bench.client->await_start({"/models", ""}, least);
    return bench.transport->elapsed();
  };
  CHECK(waited(0s, {"http://a"}, 1) == 0s);
  CHECK(waited(10s, {"http://a"}, 1) >= 10s);
  CHECK(waited(10s, {"http://a"}, 1) < 12s);
  CHECK(waited(60s, {"http://a"}, 1) >= 30s);
  CHECK(waited(60s, {"http://a"}, 1) < 33s);
  CHECK(waited(60s, {"http://a", "http://b"}, 1) < 1s);
  CHECK(waited(60s, {"http://a", "http://b"}, 2) >= 30s);
}

TEST_CASE("root_of, origin_of, parse_endpoints") {
  CHECK(root_of("http://a:8000/v1") == "http://a:8000");
  CHECK(root_of("http://a/api") == "http://a/api");
  CHECK(origin_of("http://a:8000/v2/x") == "http://a:8000");
  CHECK(origin_of("https://a") == "https://a");
  CHECK(parse_endpoints("http://[::1]:65535/v1;http://[::1]"));
  CHECK(*parse_endpoints("http://a/v1/;https://b:8080") ==
        std::vector<std::string>{"http://a/v1", "https://b:8080"});
  for (const char* wrong : {"", "a:8000", "ftp://a", "http://", "http:///v1", "http://u:pw@a/v1",
                            "http://a/v1;http://a/v1/", "http://a?key=pw", "http://a b",
                            "u:pw@a:8000", "http://u:p/pw@a", "http://a:99999", "http://a:0/v1",
                            "http://a:/v1", "http://a:8o", "http://a?k=pw/x"}) {
    CAPTURE(wrong);
    const auto endpoints = parse_endpoints(wrong);
    REQUIRE_FALSE(endpoints);
    CHECK(endpoints.error().kind == base::ErrorKind::usage);
    CHECK(endpoints.error().text.find("pw") == std::string::npos);
  }
}
