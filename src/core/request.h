#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tare::core {

using Token = std::int32_t;

enum class OutputType { loglikelihood, multiple_choice, loglikelihood_rolling, generate_until };

/// One question to a model: how likely is `continuation` after `context` (nothing is inserted
/// between them), how likely is `continuation` as a whole (loglikelihood_rolling, no context), or
/// what comes after `context` (generate_until, no continuation).
struct Request {
  std::size_t document = 0;  ///< position in the task's list of evaluated documents
  std::size_t index = 0;     ///< which request of that document (the choice)
  std::string context;
  std::string continuation;
};

/// Who decides how answers are generated.
enum class GenerationParameters {
  given,         ///< the settings, wholly
  given_length,  ///< max_tokens and stop strings alone are given, all else is the backend's default
  backend,       ///< stop strings alone are given
};

/// How answers are generated: lm-eval's generation_kwargs with the defaults filled in.
struct GenerationSettings {
  GenerationParameters parameters = GenerationParameters::given;
  std::vector<std::string> until;  ///< stop strings, in the order in which answers are cut at them
  /// New tokens at most; where that is the backend's, the room that a prompt leaves for them.
  std::size_t max_tokens = 256;
  std::string think_end;   ///< what stands up to its last occurrence is thinking; or ""
  bool sample = false;     ///< else greedy
  double temperature = 0;  ///< of sampling
  std::optional<double> top_p, min_p, repetition_penalty;
  std::optional<std::int64_t> top_k;
};

/// Answers to the same prompt may differ, so that each repetition is asked by itself.
inline bool answers_vary(const GenerationSettings& settings) {
  return settings.sample || settings.parameters != GenerationParameters::given;
}

/// log p(continuation | context) in nats, summed over its tokens.
struct LogLikelihood {
  double sum = 0;
  bool greedy = false;  ///< each continuation token is the argmax at its place
};

enum class FinishReason {
  end_of_sequence,  ///< the model ended its answer
  stop_string,
  length,  ///< max_tokens, or the end of the model's context
};

/// A generated answer. Stop strings are still in `text`, which is what the tokens decode to without
/// special tokens.
struct Generated {
  std::string text;
  std::vector<Token> tokens;  ///< new ones alone, in order, with the one that ended the answer
  FinishReason finish = FinishReason::length;
};

/// What a model gave for one thing that it was asked.
using Answer = std::variant<LogLikelihood, Generated>;

/// An answer and what it answers.
struct Answered {
  std::size_t position = 0;  ///< in the plan's list of encoded requests
  Answer answer;
};

/// Why there is no answer; counted by reason, never scored as zero.
struct RequestFailure {
  std::string reason;
};

/// A failure and what it is of.
struct Failed {
  std::size_t position = 0;  ///< in the plan's list of encoded requests
  RequestFailure failure;
};

/// What came back for one request.
struct Response {
  /// Of loglikelihood_rolling the sum over all windows; `greedy` is then false.
  std::variant<LogLikelihood, Generated, RequestFailure> outcome;
  std::string answer;              ///< generated text after stop strings and thinking are cut off
  std::size_t context_tokens = 0;  ///< tokens of the context as scored
  std::size_t continuation_tokens = 0;  ///< tokens whose log-probabilities were summed
  std::size_t truncated_tokens = 0;     ///< context tokens cut off on the left; 0 if it fitted
  std::vector<Token> tokens;            ///< context then continuation, as scored or prompted
};

}  // namespace tare::core
