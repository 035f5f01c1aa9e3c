#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/http/options.h"

namespace tare::backend::http {

/// One attempt to get an answer.
struct Request {
  std::size_t id = 0;  ///< comes back with the reply; the caller's own numbering
  std::string url;
  std::string body;  ///< JSON to POST; "" for a GET
};

/// How an attempt ended.
struct Reply {
  enum class End {
    answered,    ///< a whole answer, of any status
    unreached,   ///< no such host, or nothing listens there
    lost,        ///< the connection broke before the whole answer was there
    timed_out,   ///< not the whole answer within Limits::answer_time
    too_long,    ///< more than Limits::longest_body
    impossible,  ///< no attempt will do: a certificate, a protocol
  };
  std::size_t id = 0;
  End end = End::lost;
  long status = 0;
  std::string body;
  std::string server;  ///< the Server header, or ""
  std::optional<std::chrono::seconds> retry_after;
  std::string why;           ///< the network's own words unless it was answered
  bool without_tls = false;  ///< somebody is there, but TLS does not come about
};

/// Requests on their way, and the clock that goes with them: tests have one in which no time
/// passes. Redirects are not followed.
class Transport {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~Transport() = default;
  virtual void start(Request request) = 0;
  /// Replies since the last call. Without any it waits for one, `most` at the longest.
  virtual std::vector<Reply> wait(std::chrono::milliseconds most) = 0;
  /// Ends all requests that are under way; no replies come for them.
  virtual void cancel() = 0;
  [[nodiscard]] virtual Time now() const = 0;
};

/// libcurl's multi interface in the thread of whoever waits; connections and handles are kept.
std::unique_ptr<Transport> curl_transport(const Servers& servers);

}  // namespace tare::backend::http
