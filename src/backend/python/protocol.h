#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "base/value.h"

/// The lines that tare and a model worker exchange (docs/formats/worker-protocol.md). Pure.
namespace tare::backend::python {

inline constexpr std::int64_t kProtocolVersion = 1;

/// What a worker is told at the start.
struct WorkerSettings {
  std::string engine;              ///< "hf", "hf-pipeline", "langchain-hf", "vllm"
  std::string path;                ///< a folder of Hugging Face's layout, or a GGUF file
  std::string weights_sha256;      ///< names the folder that is made of a GGUF file
  std::string cache;               ///< where that folder is made
  std::string dtype;               ///< "float32", "float16", "bfloat16"
  unsigned threads = 0;            ///< 0: the library's choice
  std::size_t context_length = 0;  ///< tokens; 0: the model's
  bool weights = true;             ///< false: the tokenizer alone is loaded
};

/// What a worker says of itself.
struct Hello {
  base::Value versions;            ///< a dict: library to version
  base::Value settings;            ///< a dict: what can change a number
  base::Value generation;          ///< a dict: how it generates where nothing is given
  std::string chat_template;       ///< "" if there is none
  std::size_t context_length = 0;  ///< tokens; 0: none set
  std::optional<core::Token> prefix;
  std::string prefix_text, end_text;
  bool can_score = false, can_generate = false;
};

/// Lines without their newline. `sources` are pairs of name and text.
std::string hello_line(std::int64_t id, const WorkerSettings& settings,
                       const std::vector<std::pair<std::string, std::string>>& sources);
std::string tokenize_line(std::int64_t id, std::span<const std::string> texts, bool specials);
std::string detokenize_line(std::int64_t id, std::span<const core::Token> tokens, bool specials);
std::string score_line(std::int64_t id, std::span<const ScoreItem> items);
/// All items have the settings of the first.
std::string generate_line(std::int64_t id, std::span<const GenerateItem> items);

std::string bye_line(std::int64_t id);

/// An answer that keeps to the protocol: its body, or why the worker could not do what it was
/// asked.
using Reply = tl::expected<base::Value, std::string>;

/// Errors: no JSON object, another request's answer, an empty error.
base::Result<Reply> read_reply(std::string_view line, std::int64_t id);

/// The parts of a reply's body. Errors: something is missing, of another kind, or there are more or
/// fewer results than `count`.
base::Result<Hello> read_hello(const base::Value& body);
base::Result<std::vector<core::Token>> read_tokens(const base::Value& body);
base::Result<std::vector<std::vector<core::Token>>> read_token_lists(const base::Value& body,
                                                                     std::size_t count);
base::Result<std::string> read_text(const base::Value& body);

using Scored = tl::expected<core::LogLikelihood, core::RequestFailure>;
using Continued = tl::expected<core::Generated, core::RequestFailure>;
base::Result<std::vector<Scored>> read_scores(const base::Value& body, std::size_t count);
base::Result<std::vector<Continued>> read_generated(const base::Value& body, std::size_t count);

}  // namespace tare::backend::python
