#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "backend/http/client.h"
#include "base/result.h"
#include "base/value.h"

/// What a server says to the first question, and what the user can do where that is nothing.
namespace tare::backend::http {

/// What is looked for behind a URL.
struct Sought {
  std::string_view kind;      ///< "a llama-server (llama.cpp)"
  std::string_view place;     ///< what to correct where it is elsewhere: "the URL"
  std::string_view key_name;  ///< the environment variable with its key
};

/// It may be there, or ready, later.
bool is_down(const Reply& reply);
/// It wants another key, or one at all.
bool refuses_key(const Reply& reply);

/// Why `reply` of `url` is of no use before a run, with the remedy. Failed where it may be there
/// later, else input.
base::Error start_error(const std::string& url, const Reply& reply, const Limits& limits,
                        const Sought& sought);

/// The JSON of a good answer. Error: start_error(), with the URL that the user may have meant if
/// the same host answers without the endpoint's path.
base::Result<base::Value> first_answer(Client& client, const Call& call, std::size_t endpoint,
                                       const Sought& sought);

}  // namespace tare::backend::http
