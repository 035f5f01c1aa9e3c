#include "store/outcome.h"

#include <utility>

#include "store/fields.h"

namespace tare::store {
namespace {

using base::Dict;

constexpr std::pair<core::FinishReason, std::string_view> kFinishNames[] = {
    {core::FinishReason::end_of_sequence, "end_of_sequence"},
    {core::FinishReason::stop_string, "stop_string"},
    {core::FinishReason::length, "length"},
};

struct Writer {
  Dict& dict;
  const core::Response& response;
  bool token_ids;

  void operator()(const core::LogLikelihood& answer) const {
    dict.set(fields::kLogLikelihood, answer.sum);
    dict.set(fields::kGreedy, answer.greedy);
  }
  void operator()(const core::Generated& generated) const {
    dict.set(fields::kText, generated.text);
    dict.set(fields::kAnswer, response.answer);
    dict.set(fields::kFinish, finish_name(generated.finish));
    base::List tokens(generated.tokens.begin(), generated.tokens.end());
    dict.set(fields::kGeneratedTokens, token_ids ? base::Value(std::move(tokens)) : base::Value());
  }
  void operator()(const core::RequestFailure& failure) const {
    dict.set(fields::kFailure, failure.reason);
  }
};

}  // namespace

void set_outcome(Dict& dict, const core::Response& response, bool token_ids) {
  const auto counted = [&](std::size_t count) {
    return token_ids ? base::Value(count) : base::Value();
  };
  std::visit(Writer{dict, response, token_ids}, response.outcome);
  dict.set(fields::kContextTokens, counted(response.context_tokens));
  dict.set(fields::kContinuationTokens, counted(response.continuation_tokens));
  dict.set(fields::kTruncatedTokens, counted(response.truncated_tokens));
}

std::string_view finish_name(core::FinishReason reason) {
  for (const auto& [known, name] : kFinishNames)
    if (known == reason) return name;
  return "?";
}

std::optional<core::FinishReason> finish_of(std::string_view name) {
  for (const auto& [reason, known] : kFinishNames)
    if (known == name) return reason;
  return std::nullopt;
}

}  // namespace tare::store
