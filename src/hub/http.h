#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "hub/settings.h"

namespace tare::hub {

struct Request {
  std::string url;
  std::uint64_t offset = 0;  ///< ask for the bytes from here on
  std::map<std::string, std::string> headers;
};

/// Status line and headers of an answer.
struct Head {
  std::string url;  ///< that was asked
  long status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case

  /// The header's value, or "".
  [[nodiscard]] std::string header(const std::string& name) const;
};

/// Takes the body of a good answer (200 or 206) piece by piece; an error ends the transfer.
using Sink = std::function<base::Status(const Head&, std::string_view)>;

/// How one exchange with a server ended.
struct Exchange {
  enum class End {
    answered,   ///< head holds the answer, its body went to the sink
    unreached,  ///< no server could be found or connected to
    transient,  ///< the network failed; another attempt may do
    fatal,      ///< no attempt will do: a wrong URL, a certificate, the sink's own error
  };
  End end = End::fatal;
  Head head;
  base::Error error;
};

/// One connection to servers over HTTP. Not for several threads at once.
class Http {
 public:
  explicit Http(const Settings& settings);
  ~Http();
  Http(Http&&) noexcept;
  Http& operator=(Http&&) noexcept;

  /// GETs once. Redirects are not followed.
  Exchange get(const Request& request, const Sink& sink);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tare::hub
