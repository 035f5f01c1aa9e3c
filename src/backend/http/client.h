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
  /// For servers that tell how many calls they take at once.
  void limit_concurrency(std::size_t calls);

  using CallOf = std::function<Call(std::size_t)>;
  using Done = std::function<void(std::size_t, Answer)>;
  /// Makes the calls 0..count-1, about in this order, and hands over how each ended, once. Errors:
  /// interrupted; no endpoint answers any more. What was handed over before stands.
  base::Status run(std::size_t count, const CallOf& call, const Done& done, std::stop_token stop);

  /// One call to one endpoint, for what is asked before a run: tried again after what may pass, but
  /// not where nothing listens. Any status is an answer.
  Reply ask(const Call& call, std::size_t endpoint = 0);
  /// The JSON of a good answer. The error names the URL and what came instead.
  base::Result<base::Value> ask_json(const Call& call, std::size_t endpoint = 0);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tare::backend::http
