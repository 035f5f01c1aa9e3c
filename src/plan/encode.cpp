#include "plan/encode.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"

namespace tare::plan {
namespace {

using base::Result;
using core::Token;

std::string describe(const core::BuiltTask& task, const core::Request& request) {
  return fmt::format("task {}, doc {}, choice {}", task.name, task.doc_ids[request.document],
                     request.index);
}

/// Keeps the last `context_length` + 1 tokens: the last one is only predicted, never an input.
base::Status fit(EncodedRequest& encoded, std::size_t context_length, Overlength overlength,
                 const std::string& where) {
  const std::size_t capacity = context_length + 1;
  const std::size_t scored = encoded.tokens.size() - encoded.first_scored;
  if (context_length == 0 || encoded.tokens.size() <= capacity) return {};
  if (overlength == Overlength::skip) {
    encoded.skipped = true;
    return {};
  }
  if (scored > context_length)
    return base::input_error(
        fmt::format("{}: the continuation alone has {} tokens, the model's context holds {}; use "
                    "--overlength skip to leave it out",
                    where, scored, context_length));
  if (overlength == Overlength::fail)
    return base::input_error(fmt::format(
        "{}: the prompt has {} tokens, the model's context holds {}; use --overlength truncate to "
        "cut prompts on the left as lm-eval does (counted), or --overlength skip",
        where, encoded.tokens.size(), context_length));
  encoded.truncated = encoded.tokens.size() - capacity;
  encoded.tokens.erase(encoded.tokens.begin(),
                       encoded.tokens.begin() + static_cast<std::ptrdiff_t>(encoded.truncated));
  encoded.first_scored -= encoded.truncated;
  return {};
}

}  // namespace

std::vector<Token> PairEncoder::encode_whole(const std::string& text) const {
  const std::string prefix = tokenizer_.prefix_text();
  const bool has_prefix = !prefix.empty() && text.starts_with(prefix);
  return tokenizer_.encode(text, !has_prefix);
}

Result<PairEncoder::Pair> PairEncoder::encode_without_context(
    const std::string& continuation) const {
  Pair pair;
  pair.tokens = tokenizer_.encode(continuation, false);
  if (pair.tokens.empty()) return base::input_error("the continuation has no tokens");
  const auto prefix = tokenizer_.prefix_token();
  if (!prefix)
    return base::input_error(
        "the context is empty and the model has neither a BOS nor an EOS token");
  if (pair.tokens.front() != *prefix) pair.tokens.insert(pair.tokens.begin(), *prefix);
  pair.first_scored = 1;
  if (pair.tokens.size() < 2)
    return base::input_error("the continuation is the prefix token alone");
  return pair;
}

Result<PairEncoder::Pair> PairEncoder::encode(const std::string& context,
                                              const std::string& continuation) {
  if (context.empty()) return encode_without_context(continuation);
  const std::string_view head = base::unicode::rstrip(context);
  const std::string tail = context.substr(head.size()) + continuation;
  if (head.empty()) return base::input_error("the context is white space alone");
  if (head != last_context_) {
    last_context_ = head;
    last_context_tokens_ = encode_whole(last_context_);
  }
  if (last_context_tokens_.empty()) return base::input_error("the context has no tokens");
  const std::vector<Token> whole = encode_whole(last_context_ + tail);
  if (whole.size() <= last_context_tokens_.size())
    return base::input_error("the continuation has no tokens of its own after the context");
  Pair pair{last_context_tokens_, last_context_tokens_.size()};
  pair.tokens.insert(pair.tokens.end(),
                     whole.begin() + static_cast<std::ptrdiff_t>(pair.first_scored), whole.end());
  return pair;
}

Result<std::vector<EncodedRequest>> encode_requests(std::span<const core::BuiltTask> tasks,
                                                    const core::Tokenizer& tokenizer,
                                                    std::size_t context_length,
                                                    Overlength overlength) {
  std::vector<EncodedRequest> all;
  PairEncoder encoder(tokenizer);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const core::BuiltTask& task = tasks[t];
    for (std::size_t r = 0; r < task.requests.size(); ++r) {
      const core::Request& request = task.requests[r];
      auto pair = encoder.encode(request.context, request.continuation);
      if (!pair) return base::in_context(describe(task, request), pair.error());
      EncodedRequest encoded{t, r, std::move(pair->tokens), pair->first_scored};
      TARE_CHECK(fit(encoded, context_length, overlength, describe(task, request)));
      all.push_back(std::move(encoded));
    }
  }
  return all;
}

}  // namespace tare::plan
