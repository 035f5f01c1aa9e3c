#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace tare::backend::http {

/// How servers are asked.
struct Limits {
  std::size_t concurrency = 16;  ///< calls under way at once, of each endpoint
  unsigned attempts = 5;         ///< of one call, the first one included
  std::chrono::milliseconds connect_time{10'000};
  std::chrono::milliseconds answer_time{300'000};  ///< of one attempt, connecting included
  std::chrono::milliseconds first_delay{500};      ///< the longest first pause; doubled each time
  std::chrono::milliseconds longest_delay{30'000};
  std::chrono::milliseconds longest_told{60'000};  ///< Retry-After counts up to here
  /// A call fails, and so does the run, once no endpoint has answered for so long.
  std::chrono::milliseconds patience{60'000};
  /// So long a server is waited for before the first answer; 0: not at all, the URL may be wrong.
  std::chrono::milliseconds start_patience{0};
  std::size_t longest_body = std::size_t{64} << 20U;
  std::int64_t jitter_seed = 0;
};

/// One model behind one or more servers that hold the same.
struct Servers {
  std::vector<std::string> endpoints;  ///< base URLs without a slash at the end, at least one
  std::string key;                     ///< sent as a bearer token, or ""; stands in no text
  std::string ca_file;                 ///< certificates to trust instead of the system's, or ""
  Limits limits;
};

/// How they are asked, for the record of a run: nothing in it changes an answer, and no key.
base::Dict manner_of(const Servers& servers);

/// Takes "http://a/v1;http://b/v1" apart. Errors: no http or https, no host, a user or password (it
/// would stand in every record of the run), a query, a port that there is not, the same URL twice.
/// What may be a password or a key stands in no error.
base::Result<std::vector<std::string>> parse_endpoints(std::string_view text);

/// "http://HOST:PORT" of an endpoint.
std::string origin_of(std::string_view endpoint);

/// The endpoint without the "/v1" that OpenAI's paths begin with: where a server's own paths begin.
std::string root_of(std::string_view endpoint);

}  // namespace tare::backend::http
