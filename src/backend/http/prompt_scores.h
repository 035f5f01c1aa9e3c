#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/http/reading.h"

namespace tare::backend::http {

/// One token of a text as a server tells it.
struct TextToken {
  std::optional<double> log_probability;  ///< none: null, as the first one's is
  std::optional<bool> greedy;             ///< it is the argmax; none: not told
  std::optional<core::Token> id;
  std::size_t characters = 0;  ///< of its text
};

/// The tokens of a prompt that was sent with `echo` and `logprobs` (OpenAI's completions), without
/// those that were generated behind it. `choice` is an entry of "choices", `usage` the answer's
/// "usage" or none. Reasons: lists that are missing or differ in length, values that are no
/// log-probabilities.
Read<std::vector<TextToken>> read_echo(const base::Value& choice, const base::Value& usage);

/// The same of vLLM's `prompt_logprobs: 0`: for each token the dict of the token itself.
Read<std::vector<TextToken>> read_prompt_logprobs(const base::Value& choice);

/// The place in `tokens` where the last `count` characters begin. Reason: they begin inside a
/// token, or there are not as many.
Read<std::size_t> place_of_last(const std::vector<TextToken>& tokens, std::size_t count);

/// log p of tokens[first..] with the checks of reading.h. `greedy` is false where it is not told.
Read<core::LogLikelihood> sum_from(const std::vector<TextToken>& tokens, std::size_t first);

/// Whether each token from `first` on says if it is the argmax.
bool tells_greedy(const std::vector<TextToken>& tokens, std::size_t first);

}  // namespace tare::backend::http
