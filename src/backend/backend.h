#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/execution.h"
#include "core/invariance.h"
#include "core/request.h"
#include "core/tokenizer.h"

namespace tare::backend {

/// What a backend can do, as data: a task that needs more is refused before anything runs.
struct Capabilities {
  bool loglikelihood = false;  ///< log-likelihood of given text
  bool generation = false;     ///< text after a prompt
  bool sampling = false;       ///< generation at a temperature, repeatable by its seed
  bool greedy_flag = false;    ///< knows whether a continuation is the argmax
  bool token_ids = false;  ///< has a tokenizer whose ids can be compared; else see ByteTokenizer
  bool chat_messages = false;  ///< a prompt is a JSON list of messages, the chat template its own
  bool own_defaults = false;   ///< generates by defaults of its own (GenerationParameters)
  /// What it generates by its own defaults is the same each time: they are greedy.
  bool repeatable_defaults = false;
  bool any_length = false;         ///< prompts of any length fit
  std::size_t context_length = 0;  ///< tokens; 0: unknown
};

/// What answered: enough to tell two runs apart that look alike.
struct Identity {
  std::string backend;  ///< "llama.cpp", "scripted"
  std::string version;  ///< exact, e.g. the pin
  std::string model_path;
  std::string model_name;                    ///< short name for the console
  std::string weights_sha256;                ///< of the model file
  base::Value settings;                      ///< every setting that can change a number (a dict)
  base::Value circumstances = base::Dict();  ///< settings that cannot: threads, ... (a dict)
  /// How it generates where a run leaves that to it, as it reports or applies it itself, a dict;
  /// none: it could not be asked.
  base::Value generation_defaults{};
};

/// Tokens to score: the log-probabilities of tokens[first_scored..] given all before them are
/// summed. 1 ≤ first_scored < tokens.size().
struct ScoreItem {
  std::size_t id = 0;  ///< given back with the result; the caller's own numbering
  std::vector<core::Token> tokens;
  std::size_t first_scored = 0;
};

struct ScoreResult {
  std::size_t id = 0;
  tl::expected<core::LogLikelihood, core::RequestFailure> value;
};

/// A prompt to continue. `settings` outlives the call.
struct GenerateItem {
  std::size_t id = 0;
  std::vector<core::Token> tokens;  ///< not empty
  const core::GenerationSettings* settings = nullptr;
  std::uint64_t seed = 0;  ///< of sampling: equal items with equal seeds have equal answers
};

struct GenerateResult {
  std::size_t id = 0;
  tl::expected<core::Generated, core::RequestFailure> value;
};

/// Tokens that went through a model; zeros where they are not counted.
struct Computed {
  std::size_t inputs = 0;     ///< of texts to score and of prompts
  std::size_t generated = 0;  ///< new ones, those of unfinished answers too
  std::size_t places = 0;     ///< for new ones, side by side in each step; some stay empty
  // Where the backend plans how it scores: what is done so far of what the calls so far ask for, in
  // the cost of one input token among many. Recomputed tokens, filling and rows of logits count.
  double work = 0, planned = 0;
  /// What a row of logits costs, in the same measure; 0: unknown.
  double projection = 0;
};

/// A model behind some machinery. Results are handed to `sink` as they come, in any order, each id
/// once; a call that returns an error may have handed over some of them before. A result may say
/// why there is no answer to an item; an error ends the work.
class Backend {
 public:
  using Sink = std::function<void(std::span<const ScoreResult>)>;
  using GenerateSink = std::function<void(std::span<const GenerateResult>)>;

  virtual ~Backend() = default;
  [[nodiscard]] virtual Capabilities capabilities() const = 0;
  [[nodiscard]] virtual Identity identity() const = 0;
  [[nodiscard]] virtual const core::Tokenizer& tokenizer() const = 0;
  /// Scores items that share work: those with a common prefix should be passed in one call, next to
  /// each other. Stops between decodes when `stop` is asked for, with ErrorKind::interrupted.
  virtual base::Status score(std::span<const ScoreItem> items, const Sink& sink,
                             std::stop_token stop) = 0;
  /// Continues prompts until the model ends its answer, a stop string stands in the new text, or
  /// max_tokens are there. Order, sink and stopping as in score().
  virtual base::Status generate(std::span<const GenerateItem> items, const GenerateSink& sink,
                                std::stop_token stop) = 0;
  /// Measures whether answers depend on how they are computed, on a few short sequences made of
  /// these items' tokens: the same items give the same verdict. Where they do, everything is
  /// computed in a narrower class of shapes from then on, and identity() says so. To be called
  /// before the first answer.
  virtual base::Result<core::Invariance> probe(std::span<const ScoreItem> items,
                                               std::span<const GenerateItem> generations,
                                               std::stop_token stop) = 0;
  /// What was computed since it was opened.
  [[nodiscard]] virtual Computed computed() const { return {}; }
  /// Tokens that went through the model since then, filling apart; none where they are not counted.
  [[nodiscard]] virtual std::optional<core::ComputedTokens> computed_tokens() const {
    return std::nullopt;
  }
};

}  // namespace tare::backend
