#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/request.h"
#include "core/score.h"
#include "core/task.h"
#include "core/tokenizer.h"
#include "plan/text_encoder.h"

/// Requests of all tasks to token sequences, and these to an order of work. Pure: no model is run.
namespace tare::plan {

/// What happens to a request that does not fit into the model's context.
enum class Overlength {
  fail,      ///< the run is refused before it starts
  skip,      ///< the request is recorded as failed
  truncate,  ///< the context loses tokens on the left, as in lm-eval; counted
};

/// One thing to ask the model: the tokens of context and continuation, where tokens[first_scored..]
/// are the continuation. To be scored: 1 ≤ first_scored < tokens.size(); to be generated from:
/// first_scored = tokens.size(). Neither holds of what is `skipped` or has no tokens.
struct EncodedRequest {
  std::size_t task = 0;     ///< position in the list of tasks
  std::size_t request = 0;  ///< position in BuiltTask::requests
  std::vector<core::Token> tokens;
  std::size_t first_scored = 0;
  std::size_t truncated = 0;   ///< tokens cut off on the left
  bool skipped = false;        ///< too long, and Overlength::skip is in force
  std::size_t window = 0;      ///< which part of a rolling request's text
  std::size_t windows = 1;     ///< parts of that text; 0 of an empty one, which needs no model
  std::size_t repetition = 0;  ///< which of a sampled request's answers
  std::uint64_t seed = 0;      ///< of that answer
  /// Text before and after the boundary shares a token: what is scored is not what a reader sees as
  /// the continuation. lm-eval scores it so without a word.
  bool merged = false;
  [[nodiscard]] bool generates() const { return first_scored == tokens.size(); }
  /// Tokens that the model reads: the last one of a scored request is only predicted.
  [[nodiscard]] std::size_t inputs() const { return tokens.size() - (generates() ? 0 : 1); }
};

struct EncodeOptions {
  std::size_t context_length = 0;  ///< the model's, in tokens; 0: unknown, never too long
  Overlength overlength = Overlength::fail;
  std::int64_t seed = 0;  ///< of the run; each sampled answer has its own, made from it
};

/// Tokenises context and continuation as lm-eval 0.4.13 does (api/model.py TemplateLM): trailing
/// white space of the context moves to the continuation; the whole string is tokenised once and the
/// continuation's tokens are what follows the context's token count.
class PairEncoder {
 public:
  explicit PairEncoder(const core::Tokenizer& tokenizer)
      : tokenizer_(tokenizer), prefix_(tokenizer.prefix_text()), texts_(tokenizer) {}

  struct Pair {
    std::vector<core::Token> tokens;
    std::size_t first_scored = 0;
    bool merged = false;  ///< the context's tokens are other ones with the continuation behind it
  };
  /// Error: a context or continuation that has no tokens.
  base::Result<Pair> encode(const std::string& context, const std::string& continuation);
  /// A text by itself: special tokens are added unless it begins with the prefix token's text.
  /// Valid until the next call.
  const std::vector<core::Token>& encode_whole(std::string_view text);
  /// The texts that encode() asks the tokenizer for, unless they are known from the last call.
  [[nodiscard]] std::vector<core::ForeseenText> texts_of(const std::string& context,
                                                         const std::string& continuation) const;
  /// The same of encode_whole().
  [[nodiscard]] core::ForeseenText whole_text(std::string text) const;

 private:
  [[nodiscard]] bool has_prefix(std::string_view text) const;
  [[nodiscard]] base::Result<Pair> encode_without_context(const std::string& continuation) const;

  const core::Tokenizer& tokenizer_;
  std::string prefix_;  ///< the text of the prefix token
  TextEncoder texts_;
  std::string last_context_;  ///< the choices of a question share their context
  std::vector<core::Token> last_context_tokens_;
};

/// Encodes every request of every task, in order: a rolling text as its windows, a sampled answer
/// once for each repetition. Errors name task, document, choice and both lengths.
base::Result<std::vector<EncodedRequest>> encode_requests(std::span<const core::BuiltTask> tasks,
                                                          const core::Tokenizer& tokenizer,
                                                          const EncodeOptions& options);

/// What a reader of the scores must know about the tokens: continuations that merge with their
/// contexts, and BOS tokens that are predicted as if they were text.
std::vector<core::Warning> token_warnings(std::span<const core::BuiltTask> tasks,
                                          const std::vector<EncodedRequest>& requests);

/// A text's tokens cut into windows of at most `window` predicted tokens, as lm-eval does (utils.py
/// get_rolling_token_windows, make_disjoint_window): each token is predicted once, the first after
/// `prefix`, later ones after as much of the text before them as fits. `window` 0: no limit.
std::vector<PairEncoder::Pair> rolling_windows(std::span<const core::Token> text,
                                               core::Token prefix, std::size_t window);

}  // namespace tare::plan
