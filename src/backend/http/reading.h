#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/request.h"

/// What answers of all kinds of servers have in common to read and to check. The reasons are stable
/// texts: no numbers, nothing of the item.
namespace tare::backend::http {

template <class T>
using Read = tl::expected<T, core::RequestFailure>;

inline tl::unexpected<core::RequestFailure> no_answer(std::string reason) {
  return tl::unexpected(core::RequestFailure{std::move(reason)});
}

/// The JSON object of an answer.
Read<base::Value> parse_object(std::string_view body);

/// "HTTP 400: TEXT" with the server's own words, if it sent any: shortened, in one line, digits as
/// '#', so that refusals for one reason have one text.
std::string refusal(long status, std::string_view body);

/// A log-probability of each token that is scored: a number, no NaN, not infinite, not above 0.
Read<double> log_probability(const base::Value& value);

/// Adds up. `others` are those of the context, where known: if all of them and of the scored ones
/// are 0, and there are at least two, the server computes none.
Read<double> checked_sum(std::span<const double> scored, std::span<const double> others);

/// "the prompt was cut" by name: what the server says that it read, against what it was sent.
/// `told` and `sent` count tokens; unknown counts pass.
Read<void> check_prompt_tokens(std::optional<std::int64_t> told, std::optional<std::size_t> sent);

/// Characters of UTF-8 text, as Python's len counts them.
std::size_t characters(std::string_view text);

}  // namespace tare::backend::http
