#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "backend/http/transport.h"

namespace tare::backend::http {

/// What a server does with a request: its reply, and how long that takes.
struct Served {
  Reply reply;
  std::chrono::milliseconds after{10};
};

inline Reply answered(long status, std::string body = "{}") {
  Reply reply;
  reply.end = Reply::End::answered;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

inline Reply broken(Reply::End end, std::string why = "") {
  Reply reply;
  reply.end = end;
  reply.why = std::move(why);
  return reply;
}

/// Servers that are a function, in a time that passes only while it is waited for.
class FakeTransport final : public Transport {
 public:
  using Server = std::function<Served(const Request&, std::chrono::milliseconds now)>;

  explicit FakeTransport(Server server) : server_(std::move(server)) {}

  void start(Request request) override {
    Served served = server_(request, elapsed());
    served.reply.id = request.id;
    asked.push_back({request.url, elapsed()});
    flying_.push_back({now_ + served.after, std::move(served.reply)});
    most_in_flight = std::max(most_in_flight, flying_.size());
  }

  std::vector<Reply> wait(std::chrono::milliseconds most) override {
    const auto first = std::ranges::min_element(flying_, {}, &Flight::lands);
    if (first == flying_.end() || first->lands > now_ + most) {
      now_ += most;
      return {};
    }
    now_ = std::max(now_, first->lands);
    std::vector<Reply> replies{std::move(first->reply)};
    flying_.erase(first);
    return replies;
  }

  void cancel() override { flying_.clear(); }
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] std::chrono::milliseconds elapsed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(now_ - Time{});
  }

  struct Asked {
    std::string url;
    std::chrono::milliseconds when;
  };
  std::vector<Asked> asked;
  std::size_t most_in_flight = 0;

 private:
  struct Flight {
    Time lands;
    Reply reply;
  };
  Server server_;
  Time now_{};
  std::vector<Flight> flying_;
};

}  // namespace tare::backend::http
