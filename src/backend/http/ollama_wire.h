#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "backend/http/prompt_faults.h"
#include "backend/http/reading.h"
#include "base/result.h"
#include "base/value.h"
#include "core/request.h"

/// What is said to an Ollama server and what it says, in the JSON of its own API (docs/api.md of
/// ollama/ollama), with the request fields `truncate` and `shift` of api/types.go there.
namespace tare::backend::http::ollama {

/// A model as POST /api/show tells of it.
struct Model {
  std::string chat_template;   ///< in Go's template language; "" where the server has code for it
  std::string system;          ///< a message put before conversations that have none of their own
  std::string weights_sha256;  ///< of the GGUF file; "" if not told
  std::string architecture, quantization, parameter_size;
  std::size_t context_length = 0;      ///< that the model knows, in tokens; 0: not told
  base::Value defaults{base::Dict()};  ///< the parameters that come with the model
};
base::Result<Model> read_model(const base::Value& answer);
std::string show_body(std::string_view name);

/// GET /api/version.
base::Result<std::string> read_version(const base::Value& answer);

/// GET /api/tags: the digest of a model's manifest, "" if it is not listed. A name without a tag
/// means :latest.
std::string digest_of(const base::Value& answer, std::string_view name);

/// Parameters as /api/show writes them, a name and a value a line; a name that stands there several
/// times has a list.
base::Value read_parameters(std::string_view text);

/// The hash in "FROM .../sha256-HEX" of a Modelfile, or "".
std::string weights_hash(std::string_view modelfile);

/// POST /api/generate without a template.
std::string generate_body(std::string_view name, std::string_view prompt, const GenerateItem& item,
                          std::size_t num_ctx);
/// POST /api/chat; a list of role and content.
std::string chat_body(std::string_view name, const base::Value& messages, const GenerateItem& item,
                      std::size_t num_ctx);

/// The context that holds `tokens` of prompt and answer: a power of two, so that it seldom changes
/// and the server seldom loads the model anew; not above what the model knows.
std::size_t context_for(std::size_t tokens, const Model& model);

/// What was asked, to hold the answer against.
struct Asked {
  std::size_t bytes =
      0;  ///< of the prompt; it has no more tokens than these and a few special ones
  std::size_t num_ctx = 0;
  bool raw = true;                      ///< no template adds to it
  std::optional<std::size_t> tokens{};  ///< where they are known
  std::size_t max_tokens = 0;           ///< new ones; 0: not limited
};

/// How many tokens of the prompt the server says it read; nothing where it keeps silent, as older
/// ones do of prompts that they had in their cache.
std::optional<std::size_t> prompt_count(const base::Value& answer);

/// What the counts in an answer say of the prompt.
PromptFault fault_in_answer(const base::Value& answer, const Asked& asked);

/// The text is without the stop string that ended it: the server cuts it off and does not say
/// whether there was one.
Read<core::Generated> read_generated(const base::Value& answer, const Asked& asked);

/// A template that says nothing of who speaks, or drops system messages.
PromptFault fault_in_template(std::string_view text);

}  // namespace tare::backend::http::ollama
