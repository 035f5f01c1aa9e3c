#include "store/outcome.h"

#include "store/fields.h"

namespace tare::store {
namespace {

using base::Dict;

const char* name_of(core::FinishReason reason) {
  switch (reason) {
    case core::FinishReason::end_of_sequence:
      return "end_of_sequence";
    case core::FinishReason::stop_string:
      return "stop_string";
    case core::FinishReason::length:
      return "length";
  }
  return "?";
}

struct Writer {
  Dict& dict;
  const core::Response& response;

  void operator()(const core::LogLikelihood& answer) const {
    dict.set(fields::kLogLikelihood, answer.sum);
    dict.set(fields::kGreedy, answer.greedy);
  }
  void operator()(const core::Generated& generated) const {
    dict.set(fields::kText, generated.text);
    dict.set(fields::kAnswer, response.answer);
    dict.set(fields::kFinish, name_of(generated.finish));
    dict.set(fields::kGeneratedTokens,
             base::List(generated.tokens.begin(), generated.tokens.end()));
  }
  void operator()(const core::RequestFailure& failure) const {
    dict.set(fields::kFailure, failure.reason);
  }
};

}  // namespace

void set_outcome(Dict& dict, const core::Response& response) {
  std::visit(Writer{dict, response}, response.outcome);
  dict.set(fields::kContextTokens, response.context_tokens);
  dict.set(fields::kContinuationTokens, response.continuation_tokens);
  dict.set(fields::kTruncatedTokens, response.truncated_tokens);
}

}  // namespace tare::store
