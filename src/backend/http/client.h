#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "backend/http/options.h"
#include "backend/http/transport.h"
#include "base/result.h"
#include "base/value.h"
#include "core/request.h"

namespace tare::backend::http {

/// What to ask an endpoint.
struct Call {
  std::string path;      ///< behind the endpoint's URL: "/completions"
  std::string body;      ///< JSON to POST; "" for a GET
  bool at_root = false;  ///< the path is behind root_of(endpoint) instead
};

/// Where a call goes.
std::string url_of(const std::string& endpoint, const Call& call);

/// The body of a good answer, or why there is none, in few words that many calls can share.
using Answer = tl::expected<std::string, core::RequestFailure>;

/// Asks a model's servers: many calls at once, spread by the speed that each endpoint shows; each
/// call tried again after what may pass; endpoints that are down left alone for a while. The key
/// stands in nothing that it returns. Not for several threads at once.
class Client {
 public:
  explicit Client(Servers servers);
  Client(Servers servers, std::unique_ptr<Transport> transport);
  ~Client();

  [[nodiscard]] const std::vector<std::string>& endpoints() const;
  [[nodiscard]] const Limits& limits() const;
  /// For servers that tell how many calls they take at once.
  void limit_concurrency(std::size_t calls);

  using CallOf = std::function<Call(std::size_t)>;
  using Done = std::function<void(std::size_t, Answer)>;
  /// Makes the calls 0..count-1, about in this order, and hands over how each ended, once. Errors:
  /// interrupted; no endpoint answers any more. What was handed over before stands.
  base::Status run(std::size_t count, const CallOf& call, const Done& done, std::stop_token stop);

  /// Waits for servers that are being started: until `least` endpoints answer `call` and are ready,
  /// Limits::start_patience at the longest.
  void await_start(const Call& call, std::size_t least);

  /// One call to one endpoint, for what is asked before a run: tried again after what may pass, but
  /// not where nothing listens. Any status is an answer.
  Reply ask(const Call& call, std::size_t endpoint = 0);
  /// The same to a URL that is no endpoint, but may be what the user meant.
  Reply ask_at(const std::string& base, const Call& call);
  /// The JSON of a good answer. The error names the URL and what came instead.
  base::Result<base::Value> ask_json(const Call& call, std::size_t endpoint = 0);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tare::backend::http
