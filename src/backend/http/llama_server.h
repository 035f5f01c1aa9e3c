#pragma once

#include <memory>

#include "backend/http/dialect.h"
#include "backend/http/llama_server_wire.h"
#include "backend/http/options.h"
#include "base/result.h"

namespace tare::backend::http {

struct LlamaServerOptions {
  Servers servers;
  bool own_concurrency = false;  ///< servers.limits.concurrency was chosen; else one call a slot
  /// Conversations through the server's chat template; else prompts as token ids.
  bool chat = false;
  llama_server::Manner manner;
};

/// llama.cpp's server through its native endpoints. Prompts are sent as token ids, so what the
/// model reads is what was planned; log-likelihoods are exact, one request for each scored token.
/// Errors: a server that does not answer or is none of llama.cpp, servers that differ, a slot that
/// they do not have.
base::Result<Opened> open_llama_server(const LlamaServerOptions& options);
/// The same through a client that is there already.
base::Result<Opened> open_llama_server(const LlamaServerOptions& options,
                                       std::shared_ptr<Client> client);

/// The chat template of a server with the text of the special tokens it may name.
struct ServerChat {
  std::string text, bos, eos;
};
base::Result<ServerChat> read_llama_server_chat(const Servers& servers);

}  // namespace tare::backend::http
