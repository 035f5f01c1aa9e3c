#include "plan/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/hash.h"
#include "base/unicode.h"

namespace tare::plan {
namespace {

using base::Result;
using core::Token;

std::string describe(const core::BuiltTask& task, const core::Request& request) {
  const std::string document =
      fmt::format("task {}, doc {}", task.name, task.doc_ids[request.document]);
  if (task.output_type != core::OutputType::multiple_choice) return document;
  return fmt::format("{}, choice {}", document, request.index);
}

void cut_left(EncodedRequest& encoded, std::size_t keep) {
  encoded.truncated = encoded.tokens.size() - keep;
  encoded.tokens.erase(encoded.tokens.begin(),
                       encoded.tokens.begin() + static_cast<std::ptrdiff_t>(encoded.truncated));
  encoded.first_scored -= encoded.truncated;
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
  cut_left(encoded, capacity);
  return {};
}

/// Keeps the last tokens of the prompt, so that the answer fits behind them.
base::Status fit_prompt(EncodedRequest& encoded, std::size_t new_tokens,
                        const EncodeOptions& options, const std::string& where) {
  const std::size_t length = encoded.tokens.size();
  if (options.context_length == 0 || length + new_tokens <= options.context_length) return {};
  if (options.overlength == Overlength::skip) {
    encoded.skipped = true;
    return {};
  }
  if (new_tokens >= options.context_length)
    return base::input_error(
        fmt::format("{}: {} new tokens are asked for, the model's context holds {}; ask for fewer "
                    "(--gen-kwargs max_gen_toks=N)",
                    where, new_tokens, options.context_length));
  if (options.overlength == Overlength::fail)
    return base::input_error(fmt::format(
        "{}: the prompt has {} tokens and {} new ones are asked for, the model's context holds {}; "
        "use --overlength truncate to cut prompts on the left as lm-eval does (counted), or "
        "--overlength skip",
        where, length, new_tokens, options.context_length));
  cut_left(encoded, options.context_length - new_tokens);
  return {};
}

/// The first 8 bytes of a hash over all that tells one sampled answer from another.
std::uint64_t seed_of(const EncodeOptions& options, const core::BuiltTask& task,
                      const core::Request& request, std::size_t repetition) {
  const std::string digits =
      base::sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}", options.seed, task.name,
                                   task.doc_ids[request.document], request.index, repetition));
  return std::stoull(digits.substr(0, 16), nullptr, 16);
}

/// Encodes one task after another into one list.
class RequestEncoder {
 public:
  RequestEncoder(const core::Tokenizer& tokenizer, const EncodeOptions& options)
      : tokenizer_(tokenizer), options_(options), encoder_(tokenizer) {}

  base::Status add(const core::BuiltTask& task, std::size_t task_place, std::size_t request_place) {
    EncodedRequest entry;
    entry.task = task_place;
    entry.request = request_place;
    const core::Request& request = task.requests[request_place];
    switch (task.output_type) {
      case core::OutputType::loglikelihood:
      case core::OutputType::multiple_choice:
        return add_pair(task, request, std::move(entry));
      case core::OutputType::loglikelihood_rolling:
        return add_windows(task, request, std::move(entry));
      case core::OutputType::generate_until:
        return add_prompt(task, request, std::move(entry));
    }
    return {};
  }

  /// Tells the tokenizer of what the requests from `begin` on will need.
  void foresee(const core::BuiltTask& task, std::size_t begin, std::size_t count) const {
    std::vector<core::ForeseenText> texts;
    const std::size_t end = std::min(begin + count, task.requests.size());
    for (std::size_t r = begin; r < end; ++r) {
      const core::Request& request = task.requests[r];
      std::vector<core::ForeseenText> some = texts_of(task.output_type, request);
      std::ranges::move(some, std::back_inserter(texts));
    }
    tokenizer_.foresee(texts);
  }

  std::vector<EncodedRequest> take() { return std::move(all_); }

 private:
  [[nodiscard]] std::vector<core::ForeseenText> texts_of(core::OutputType type,
                                                         const core::Request& request) const {
    switch (type) {
      case core::OutputType::loglikelihood:
      case core::OutputType::multiple_choice:
        return encoder_.texts_of(request.context, request.continuation);
      case core::OutputType::loglikelihood_rolling:
        return {encoder_.whole_text(request.continuation)};
      case core::OutputType::generate_until:
        return {encoder_.whole_text(request.context)};
    }
    return {};
  }

  base::Status add_pair(const core::BuiltTask& task, const core::Request& request,
                        EncodedRequest entry) {
    auto pair = encoder_.encode(request.context, request.continuation);
    if (!pair) return base::in_context(describe(task, request), pair.error());
    entry.tokens = std::move(pair->tokens);
    entry.first_scored = pair->first_scored;
    entry.merged = pair->merged;
    TARE_CHECK(fit(entry, options_.context_length, options_.overlength, describe(task, request)));
    all_.push_back(std::move(entry));
    return {};
  }

  base::Status add_windows(const core::BuiltTask& task, const core::Request& request,
                           EncodedRequest entry) {
    const auto prefix = tokenizer_.prefix_token();
    if (!prefix)
      return base::input_error(fmt::format(
          "{}: the model has neither a BOS nor an EOS token to stand before a text; choose another "
          "model for loglikelihood_rolling tasks",
          describe(task, request)));
    const auto& tokens = encoder_.encode_whole(request.continuation);
    auto windows = rolling_windows(tokens, *prefix, options_.context_length);
    entry.windows = windows.size();
    if (windows.empty()) all_.push_back(entry);
    for (PairEncoder::Pair& window : windows) {
      entry.tokens = std::move(window.tokens);
      entry.first_scored = window.first_scored;
      all_.push_back(entry);
      ++entry.window;
    }
    return {};
  }

  base::Status add_prompt(const core::BuiltTask& task, const core::Request& request,
                          EncodedRequest entry) {
    entry.tokens = encoder_.encode_whole(request.context);
    if (entry.tokens.empty()) {
      const auto prefix = tokenizer_.prefix_token();
      if (!prefix)
        return base::input_error(fmt::format("{}: the prompt is empty", describe(task, request)));
      entry.tokens = {*prefix};
    }
    entry.first_scored = entry.tokens.size();
    TARE_CHECK(fit_prompt(entry, task.generation.max_tokens, options_, describe(task, request)));
    const std::size_t answers = core::answers_vary(task.generation) ? task.repeats : 1;
    for (; entry.repetition < answers; ++entry.repetition) {
      entry.seed = seed_of(options_, task, request, entry.repetition);
      all_.push_back(entry);
    }
    return {};
  }

  const core::Tokenizer& tokenizer_;
  const EncodeOptions& options_;
  PairEncoder encoder_;
  std::vector<EncodedRequest> all_;
};

}  // namespace

bool PairEncoder::has_prefix(std::string_view text) const {
  return !prefix_.empty() && text.starts_with(prefix_);
}

const std::vector<Token>& PairEncoder::encode_whole(std::string_view text) {
  return texts_.encode(text, !has_prefix(text));
}

core::ForeseenText PairEncoder::whole_text(std::string text) const {
  const bool specials = !has_prefix(text);
  return {std::move(text), specials};
}

std::vector<core::ForeseenText> PairEncoder::texts_of(const std::string& context,
                                                      const std::string& continuation) const {
  if (context.empty()) return {{continuation, false}};
  return {whole_text(std::string(base::unicode::rstrip(context))),
          whole_text(context + continuation)};
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
  const std::vector<Token>& whole = encode_whole(last_context_ + tail);
  if (whole.size() <= last_context_tokens_.size())
    return base::input_error("the continuation has no tokens of its own after the context");
  Pair pair;
  pair.first_scored = last_context_tokens_.size();
  pair.merged =
      !std::equal(last_context_tokens_.begin(), last_context_tokens_.end(), whole.begin());
  pair.tokens.reserve(whole.size());  // exactly: a plan keeps millions of tokens
  pair.tokens = last_context_tokens_;
  pair.tokens.insert(pair.tokens.end(),
                     whole.begin() + static_cast<std::ptrdiff_t>(pair.first_scored), whole.end());
  return pair;
}

std::vector<core::Warning> token_warnings(std::span<const core::BuiltTask> tasks,
                                          const std::vector<EncodedRequest>& requests) {
  std::vector<std::size_t> merged(tasks.size()), bos(tasks.size());
  for (const EncodedRequest& request : requests) {
    const bool rolling = tasks[request.task].output_type == core::OutputType::loglikelihood_rolling;
    merged[request.task] += request.merged ? 1 : 0;
    if (rolling && request.window == 0 && request.tokens.size() > 1)
      bos[request.task] += request.tokens[0] == request.tokens[1] ? 1 : 0;
  }
  std::vector<core::Warning> warnings;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (merged[t] > 0)
      warnings.push_back(
          {"merged-tokens",
           fmt::format("task {}: in {} of {} requests a token spans the end of the context, so the "
                       "scored tokens are not the continuation alone (scored as lm-eval does); end "
                       "doc_to_text at a word, or begin choices with a space",
                       tasks[t].name, merged[t], tasks[t].requests.size()),
           merged[t]});
    if (bos[t] > 0)
      warnings.push_back(
          {"predicted-bos",
           fmt::format(
               "task {}: this tokenizer adds a BOS token to each text, and in {} texts it is "
               "itself predicted and counts into the perplexity, as in lm-eval",
               tasks[t].name, bos[t]),
           bos[t]});
  }
  return warnings;
}

std::vector<PairEncoder::Pair> rolling_windows(std::span<const Token> text, Token prefix,
                                               std::size_t window) {
  std::vector<PairEncoder::Pair> windows;
  if (window == 0) window = text.size();
  for (std::size_t done = 0; done < text.size();) {
    const std::size_t predicted = std::min(text.size() - done, window);
    const std::size_t end = done + predicted;
    PairEncoder::Pair pair;
    if (done == 0) {
      pair.tokens.push_back(prefix);
    } else {
      const std::size_t begin = end - window - 1;
      pair.tokens.assign(text.begin() + static_cast<std::ptrdiff_t>(begin),
                         text.begin() + static_cast<std::ptrdiff_t>(done));
    }
    pair.first_scored = pair.tokens.size();
    pair.tokens.insert(pair.tokens.end(), text.begin() + static_cast<std::ptrdiff_t>(done),
                       text.begin() + static_cast<std::ptrdiff_t>(end));
    windows.push_back(std::move(pair));
    done = end;
  }
  return windows;
}

Result<std::vector<EncodedRequest>> encode_requests(std::span<const core::BuiltTask> tasks,
                                                    const core::Tokenizer& tokenizer,
                                                    const EncodeOptions& options) {
  RequestEncoder encoder(tokenizer, options);
  const std::size_t ahead = tokenizer.foresight();
  for (std::size_t t = 0; t < tasks.size(); ++t)
    for (std::size_t r = 0; r < tasks[t].requests.size(); ++r) {
      if (ahead > 0 && r % ahead == 0) encoder.foresee(tasks[t], r, ahead);
      const base::Status added = encoder.add(tasks[t], t, r);
      TARE_CHECK(tokenizer.status());  // before what an empty text then seems to be
      TARE_CHECK(added);
    }
  return encoder.take();
}

}  // namespace tare::plan
