#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "backend/http/dialect.h"
#include "backend/http/options.h"
#include "base/result.h"

namespace tare::backend::http {

struct OpenAiOptions {
  Servers servers;
  std::string model;  ///< "": the first that the server lists
  bool chat = false;  ///< /chat/completions instead of /completions
  /// Send token ids where the server shows its tokenizer; else text, with bytes for tokens here.
  bool token_ids = true;
  std::string length_name = "max_tokens";  ///< what the server calls the most new tokens
  std::size_t most_stops = 4;  ///< that a request may name; answers are cut at the others here
  std::size_t context_length =
      0;  ///< in tokens, where the user knows better; 0: as the server says
};

/// Asks each endpoint which model it holds, and finds out by one short text what the first one can
/// do: log-probabilities of given text by echo or by vLLM's prompt_logprobs, the argmax flag, token
/// ids. Errors: no endpoint answers, a URL without OpenAI's interface behind it, a key that is
/// refused, a model that is not listed, endpoints with different models.
base::Result<Opened> open_openai(OpenAiOptions options);
/// The same through a client that is there already.
base::Result<Opened> open_openai(OpenAiOptions options, std::shared_ptr<Client> client);

}  // namespace tare::backend::http
