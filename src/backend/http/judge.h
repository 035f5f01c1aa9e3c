#pragma once

#include <string>
#include <string_view>

#include "backend/http/pool.h"
#include "backend/http/transport.h"

namespace tare::backend::http {

/// What a reply means for the call.
struct Judged {
  enum class Kind {
    good,       ///< its body is for the dialect to read
    again,      ///< another attempt may do; `reason` if it was the last
    elsewhere,  ///< the endpoint is not there, which is no attempt of the call
    final,      ///< no attempt will do
  };
  Kind kind = Kind::good;
  std::string reason;  ///< "HTTP 503"; "" where it is good
};

Judged judge(const Reply& reply, const Limits& limits);

/// A status that another attempt may not have: too much is asked, or the server is in trouble.
bool may_pass(long status);

/// What it means for the endpoint.
Health health_of(const Reply& reply);

/// Takes the key out of what a server sent back.
void scrub(Reply& reply, std::string_view key);

}  // namespace tare::backend::http
