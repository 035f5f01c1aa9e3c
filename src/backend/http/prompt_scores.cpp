#include "backend/http/prompt_scores.h"

#include <algorithm>
#include <charconv>

namespace tare::backend::http {
namespace {

using base::Value;

constexpr const char* kMissing = "no log-probabilities in the answer";
constexpr const char* kCounts =
    "the answer's lists of tokens and log-probabilities differ in length";

/// The list under a key; null where there is none.
const base::List* list_at(const Value& dict, std::string_view key) {
  const Value* found = dict.find(key);
  return found != nullptr && found->is_list() ? &found->items() : nullptr;
}

Read<std::optional<double>> optional_probability(const Value& value) {
  if (value.is_none()) return std::optional<double>();
  auto number = log_probability(value);
  if (!number) return tl::unexpected(number.error());
  return std::optional(*number);
}

std::optional<std::int64_t> integer_at(const Value& dict, std::string_view key) {
  const Value* found = dict.find(key);
  if (found == nullptr || !found->is_int()) return std::nullopt;
  return found->as_int();
}

/// The argmax, by the most likely tokens at its place: a dict of text to log-probability. As in
/// lm-eval a tie counts as the argmax.
std::optional<bool> is_top(double own, const Value& top) {
  if (!top.is_dict() || top.as_dict().empty()) return std::nullopt;
  for (const auto& entry : top.as_dict()) {
    if (!entry.second.is_number()) return std::nullopt;
    if (entry.second.as_number() > own) return false;
  }
  return true;
}

/// Where each token begins in the text, in characters; from there how long it is.
Read<void> set_lengths(std::vector<TextToken>& tokens, const base::List& texts,
                       const base::List* offsets) {
  if (offsets != nullptr && offsets->size() != tokens.size()) return no_answer(kCounts);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!texts[i].is_string()) return no_answer("a token in the answer is no text");
    tokens[i].characters = characters(texts[i].as_string());
    const bool told = offsets != nullptr && i + 1 < tokens.size();
    if (!told) continue;
    const Value &here = (*offsets)[i], &next = (*offsets)[i + 1];
    if (!here.is_int() || !next.is_int() || next.as_int() < here.as_int())
      return no_answer("the answer's text offsets do not go up");
    tokens[i].characters = static_cast<std::size_t>(next.as_int() - here.as_int());
  }
  return {};
}

/// Tokens that stand behind the prompt: as the server counts them, else none.
Read<void> drop_generated(std::vector<TextToken>& tokens, const Value& usage) {
  const auto generated = integer_at(usage, "completion_tokens");
  const auto prompt = integer_at(usage, "prompt_tokens");
  const auto total = static_cast<std::int64_t>(tokens.size());
  if (prompt && *prompt >= 0 && *prompt <= total && total - *prompt <= 1) {
    tokens.resize(static_cast<std::size_t>(*prompt));
    return {};
  }
  if (prompt || !generated) return no_answer(prompt ? kCounts : "no token counts in the answer");
  if (*generated < 0 || *generated > total) return no_answer(kCounts);
  tokens.resize(tokens.size() - static_cast<std::size_t>(*generated));
  return {};
}

Read<TextToken> prompt_token(const Value& entry) {
  TextToken token;
  if (entry.is_none()) return token;
  if (!entry.is_dict() || entry.as_dict().empty())
    return no_answer("a prompt log-probability is no object");
  const auto& [key, told] = *entry.as_dict().begin();
  const Value* probability = told.find("logprob");
  auto number = optional_probability(probability != nullptr ? *probability : Value());
  if (!number) return tl::unexpected(number.error());
  token.log_probability = *number;
  if (const auto rank = integer_at(told, "rank")) token.greedy = *rank == 1;
  if (const Value* text = told.find("decoded_token"); text != nullptr && text->is_string())
    token.characters = characters(text->as_string());
  const std::string& digits = key.as_string();
  core::Token id = 0;
  const char* end = digits.data() + digits.size();
  if (const auto [stop, fault] = std::from_chars(digits.data(), end, id);
      fault == std::errc() && stop == end)
    token.id = id;
  return token;
}

}  // namespace

Read<std::vector<TextToken>> read_echo(const Value& choice, const Value& usage) {
  const Value* told = choice.find("logprobs");
  if (told == nullptr || !told->is_dict()) return no_answer(kMissing);
  const base::List* probabilities = list_at(*told, "token_logprobs");
  const base::List* texts = list_at(*told, "tokens");
  const base::List* tops = list_at(*told, "top_logprobs");
  if (probabilities == nullptr || texts == nullptr || probabilities->empty())
    return no_answer(kMissing);
  if (texts->size() != probabilities->size()) return no_answer(kCounts);
  if (tops != nullptr && tops->size() != probabilities->size()) return no_answer(kCounts);
  std::vector<TextToken> tokens(probabilities->size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    auto number = optional_probability((*probabilities)[i]);
    if (!number) return tl::unexpected(number.error());
    tokens[i].log_probability = *number;
    if (*number && tops != nullptr) tokens[i].greedy = is_top(**number, (*tops)[i]);
  }
  if (auto fit = set_lengths(tokens, *texts, list_at(*told, "text_offset")); !fit)
    return tl::unexpected(fit.error());
  if (auto fit = drop_generated(tokens, usage); !fit) return tl::unexpected(fit.error());
  return tokens;
}

Read<std::vector<TextToken>> read_prompt_logprobs(const Value& choice) {
  const base::List* entries = list_at(choice, "prompt_logprobs");
  if (entries == nullptr || entries->empty()) return no_answer(kMissing);
  std::vector<TextToken> tokens;
  tokens.reserve(entries->size());
  for (const Value& entry : *entries) {
    if (entry.is_none() && !tokens.empty()) return no_answer("a log-probability is null");
    auto token = prompt_token(entry);
    if (!token) return tl::unexpected(token.error());
    tokens.push_back(*token);
  }
  return tokens;
}

Read<std::size_t> place_of_last(const std::vector<TextToken>& tokens, std::size_t count) {
  std::size_t place = tokens.size();
  std::size_t found = 0;
  while (found < count && place > 0) found += tokens[--place].characters;
  if (found < count) return no_answer("the answer's tokens are fewer than the continuation's");
  if (found > count) return no_answer("the continuation begins inside a token");
  // vLLM shows the first tokens of a character without text, and all of it with the last one.
  const auto begins_character = [](const TextToken& token) {
    return token.characters == 0 && token.log_probability.has_value();
  };
  while (count > 0 && place > 0 && begins_character(tokens[place - 1])) --place;
  return place;
}

Read<core::LogLikelihood> sum_from(const std::vector<TextToken>& tokens, std::size_t first) {
  std::vector<double> scored, others;
  bool greedy = true;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const TextToken& token = tokens[i];
    if (i >= first && !token.log_probability)
      return no_answer(i == 0 ? "the first token of a text has no log-probability"
                              : "a log-probability is null");
    if (!token.log_probability) continue;
    (i >= first ? scored : others).push_back(*token.log_probability);
    if (i >= first) greedy = greedy && token.greedy.value_or(false);
  }
  if (scored.empty()) return no_answer("the continuation has no tokens in the answer");
  auto sum = checked_sum(scored, others);
  if (!sum) return tl::unexpected(sum.error());
  return core::LogLikelihood{*sum, greedy};
}

bool tells_greedy(const std::vector<TextToken>& tokens, std::size_t first) {
  return std::all_of(tokens.begin() + static_cast<std::ptrdiff_t>(std::min(first, tokens.size())),
                     tokens.end(), [](const TextToken& token) { return token.greedy.has_value(); });
}

}  // namespace tare::backend::http
