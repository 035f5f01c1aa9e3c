#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backend/http/client.h"
#include "backend/http/first_answer.h"
#include "base/result.h"

/// Whether OpenAI's interface is behind a URL: servers have other things beside it, at paths of
/// nearly the same names.
namespace tare::backend::http {

inline constexpr Sought kOpenAi{"a server with OpenAI's interface", "the URL", "OPENAI_API_KEY"};

/// A model as GET /models lists it.
struct Listed {
  std::string id;
  std::size_t context_length = 0;  ///< in tokens; vLLM tells it; else 0
};
/// Empty where `body` is no list of models.
std::vector<Listed> read_models(const std::string& body);

/// `call` to this endpoint ended in `reason`, as if the interface was not there. Input, with the
/// URL that was meant, if the host has the interface under /v1.
base::Error no_interface(Client& client, std::size_t endpoint, const Call& call,
                         const std::string& reason);

/// Asks for one token. Error: it is not refused, or there, in the way of this interface.
base::Status check_place(Client& client, std::size_t endpoint, const Call& one_token);

}  // namespace tare::backend::http
