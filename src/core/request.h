#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tare::core {

using Token = std::int32_t;

enum class OutputType { loglikelihood, multiple_choice, loglikelihood_rolling, generate_until };

/// One question to a model: how likely is `continuation` after `context`? Both are text; nothing is
/// inserted between them.
struct Request {
  std::size_t document = 0;  ///< position in the task's list of evaluated documents
  std::size_t index = 0;     ///< which request of that document (the choice)
  std::string context;
  std::string continuation;
};

/// log p(continuation | context) in nats, summed over its tokens.
struct LogLikelihood {
  double sum = 0;
  bool greedy = false;  ///< each continuation token is the argmax at its place
};

/// Why there is no answer; counted by reason, never scored as zero.
struct RequestFailure {
  std::string reason;
};

/// What came back for one request.
struct Response {
  std::variant<LogLikelihood, RequestFailure> outcome;
  std::size_t context_tokens = 0;       ///< tokens of the context as scored
  std::size_t continuation_tokens = 0;  ///< tokens whose log-probabilities were summed
  std::size_t truncated_tokens = 0;     ///< context tokens cut off on the left; 0 if it fitted
  std::vector<Token> tokens;            ///< context then continuation, as scored
};

}  // namespace tare::core
