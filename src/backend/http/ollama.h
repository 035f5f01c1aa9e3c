#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "backend/http/dialect.h"
#include "backend/http/options.h"
#include "base/result.h"

namespace tare::backend::http {

struct OllamaOptions {
  Servers servers;
  std::string model;             ///< as `ollama list` names it
  bool own_concurrency = false;  ///< servers.limits.concurrency was chosen; else one call at a time
  /// Conversations through the model's template (/api/chat); else text as it is (raw).
  bool chat = false;
  std::size_t num_ctx = 0;  ///< tokens; 0: what the prompts need
};

/// An Ollama server through its native API. It tells no log-probabilities of given text and has no
/// tokenizer: prompts travel as text. Errors: a server that does not answer or is no Ollama, a
/// model that it does not have, num_ctx above what the model knows (the server would lower it
/// silently).
base::Result<Opened> open_ollama(const OllamaOptions& options);
/// The same through a client that is there already.
base::Result<Opened> open_ollama(const OllamaOptions& options, std::shared_ptr<Client> client);

}  // namespace tare::backend::http
