#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/request.h"
#include "core/task.h"
#include "core/tokenizer.h"

/// Requests of all tasks to token sequences, and these to an order of work. Pure: no model is run.
namespace tare::plan {

/// What happens to a request that does not fit into the model's context.
enum class Overlength {
  fail,      ///< the run is refused before it starts
  skip,      ///< the request is recorded as failed
  truncate,  ///< the context loses tokens on the left, as in lm-eval; counted
};

/// A request as the model sees it: the tokens of context and continuation, where
/// tokens[first_scored..] are the continuation. 1 ≤ first_scored < tokens.size(), unless `skipped`.
struct EncodedRequest {
  std::size_t task = 0;     ///< position in the list of tasks
  std::size_t request = 0;  ///< position in BuiltTask::requests
  std::vector<core::Token> tokens;
  std::size_t first_scored = 0;
  std::size_t truncated = 0;  ///< tokens cut off on the left
  bool skipped = false;       ///< too long, and Overlength::skip is in force
};

/// Tokenises context and continuation as lm-eval 0.4.13 does (api/model.py TemplateLM): trailing
/// white space of the context moves to the continuation; the whole string is tokenised once and the
/// continuation's tokens are what follows the context's token count.
class PairEncoder {
 public:
  explicit PairEncoder(const core::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  struct Pair {
    std::vector<core::Token> tokens;
    std::size_t first_scored = 0;
  };
  /// Error: a context or continuation that has no tokens.
  base::Result<Pair> encode(const std::string& context, const std::string& continuation);

 private:
  [[nodiscard]] std::vector<core::Token> encode_whole(const std::string& text) const;
  [[nodiscard]] base::Result<Pair> encode_without_context(const std::string& continuation) const;

  const core::Tokenizer& tokenizer_;
  std::string last_context_;  ///< the choices of a question share their context
  std::vector<core::Token> last_context_tokens_;
};

/// Encodes every request of every task, in order. `context_length` is the model's (0: unknown,
/// never too long). Errors name task, document, choice and both lengths.
base::Result<std::vector<EncodedRequest>> encode_requests(std::span<const core::BuiltTask> tasks,
                                                          const core::Tokenizer& tokenizer,
                                                          std::size_t context_length,
                                                          Overlength overlength);

}  // namespace tare::plan
