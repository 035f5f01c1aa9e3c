#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "backend/http/client.h"
#include "core/score.h"

namespace tare::backend::http {

using Scored = tl::expected<core::LogLikelihood, core::RequestFailure>;
using Continued = tl::expected<core::Generated, core::RequestFailure>;

/// How one kind of server is spoken to: items to calls, answers to values. All of it is known when
/// it is made; nothing here asks a server, so each function can be tested on its own. `body` is
/// what stands in a good answer (status 2xx), not empty, beginning with { or [ but no more checked
/// than that.
class Dialect {
 public:
  virtual ~Dialect() = default;
  [[nodiscard]] virtual Capabilities capabilities() const = 0;
  [[nodiscard]] virtual Identity identity() const = 0;
  [[nodiscard]] virtual const core::Tokenizer& tokenizer() const = 0;

  /// How many calls an item takes, at least one. They do not wait for each other; an item's
  /// log-likelihood is the sum of what they give, greedy if all are.
  [[nodiscard]] virtual std::size_t score_calls(const ScoreItem& /*item*/) const { return 1; }
  [[nodiscard]] virtual Call score_call(const ScoreItem& item, std::size_t part) const = 0;
  [[nodiscard]] virtual Scored read_score(const ScoreItem& item, std::size_t part,
                                          std::string_view body) const = 0;

  [[nodiscard]] virtual Call generate_call(const GenerateItem& item) const = 0;
  [[nodiscard]] virtual Continued read_generated(const GenerateItem& item,
                                                 std::string_view body) const = 0;
};

/// A backend and what a user should know about its servers.
struct Opened {
  std::unique_ptr<Backend> backend;
  std::vector<core::Warning> warnings;
};

/// The backend that asks `client` in `dialect`. Both live as long as it does.
std::unique_ptr<Backend> make_backend(std::shared_ptr<Client> client,
                                      std::shared_ptr<const Dialect> dialect);

}  // namespace tare::backend::http
