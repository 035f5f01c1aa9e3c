#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/http/prompt_faults.h"
#include "backend/http/reading.h"
#include "base/result.h"
#include "base/value.h"
#include "core/request.h"

/// What is said to llama.cpp's server and what it says, in its own JSON: tools/server/README.md of
/// the pinned source.
namespace tare::backend::http::llama_server {

/// GET /props.
struct Props {
  std::string build;
  std::string model_path;  ///< on the server's machine
  std::string model_name, file_type;
  std::string chat_template;           ///< its text
  std::string bos_text, eos_text;      ///< "" without one
  std::size_t slots = 1;               ///< answers side by side
  std::size_t context_length = 0;      ///< of one slot, in tokens
  base::Value defaults{base::Dict()};  ///< how it generates where a request leaves that to it
};
/// Error: no answer of a llama-server.
base::Result<Props> read_props(const base::Value& answer);

/// How requests are put, the same for all of a run.
struct Manner {
  /// May keys and values of an earlier request's equal begin be used again? That saves work, and
  /// changes the shapes of what is computed and with them the last bits of numbers.
  bool cache_prompt = false;
  std::optional<std::int64_t> slot;  ///< none: the server chooses
};

/// POST /apply-template.
std::string template_body(const base::Value& messages);
base::Result<std::string> read_prompt(const base::Value& answer);

/// POST /completion: continue a prompt.
std::string generate_body(const GenerateItem& item, const Manner& manner);
/// POST /v1/chat/completions: answer a conversation, a list of role and content.
std::string chat_body(const base::Value& messages, const GenerateItem& item, const Manner& manner);
/// POST /completion: how likely is `wanted` after `prompt`? A bias makes it come, and the answer
/// says what it had been worth before the bias and any sampler.
std::string next_token_body(std::span<const core::Token> prompt, core::Token wanted,
                            const Manner& manner);

/// What was asked, to hold the answer against.
struct Asked {
  std::optional<std::size_t> prompt_tokens;
  std::size_t context_length = 0;  ///< 0: unknown
};

Read<core::Generated> read_generated(const base::Value& answer, const Asked& asked);
Read<core::Generated> read_chat(const base::Value& answer, const Asked& asked);
/// From logits over the whole vocabulary. The server adds up their exponentials in 32-bit floats,
/// which loses the smallest: what it tells lies up to a thousandth of a nat too high.
Read<core::LogLikelihood> read_next_token(const base::Value& answer, core::Token wanted,
                                          const Asked& asked);

}  // namespace tare::backend::http::llama_server
