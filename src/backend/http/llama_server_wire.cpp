#include "backend/http/llama_server_wire.h"

#include <fmt/format.h>

#include "backend/http/fields.h"
#include "base/json.h"

namespace tare::backend::http::llama_server {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;
using core::FinishReason;
using core::GenerationParameters;
using core::GenerationSettings;
using core::Token;

/// More than any two logits lie apart.
constexpr double kForce = 1e9;
/// What the server writes for a probability that a 32-bit float cannot tell from 0.
constexpr double kUnderflow = -3e38;

Value list_of(std::span<const Token> tokens) {
  List list;
  list.reserve(tokens.size());
  for (const Token token : tokens) list.emplace_back(static_cast<std::int64_t>(token));
  return list;
}

Value list_of(std::initializer_list<const char*> texts) {
  List list;
  for (const char* text : texts) list.emplace_back(text);
  return list;
}

/// [[token, bias]].
Value bias_of(Token token) {
  List pair, pairs;
  pair.emplace_back(static_cast<std::int64_t>(token));
  pair.emplace_back(kForce);
  pairs.emplace_back(std::move(pair));
  return pairs;
}

base::Failure no_llama_server(std::string_view path, std::string_view missing) {
  return base::input_error(
      fmt::format("{}: no {} in the answer; wanted a llama-server (llama.cpp)", path, missing));
}

/// What a server may have been started with and would use wherever a request is silent.
void turn_off_extras(Dict& body) {
  body.set("dynatemp_range", 0);
  body.set("mirostat", 0);
  body.set("ignore_eos", false);
}

void put_greedy(Dict& body, const GenerationSettings& settings) {
  body.set("temperature", 0);
  body.set("samplers", settings.repetition_penalty ? list_of({"penalties", "temperature"})
                                                   : list_of({"temperature"}));
  turn_off_extras(body);
  if (!settings.repetition_penalty) return;
  body.set("repeat_penalty", *settings.repetition_penalty);
  body.set("presence_penalty", 0);
  body.set("frequency_penalty", 0);
}

/// What is not given is turned off; the order of the steps is the server's.
void put_sampling(Dict& body, const GenerationSettings& settings) {
  body.set("temperature", settings.temperature);
  body.set("top_k", settings.top_k.value_or(0));
  body.set("top_p", settings.top_p.value_or(1));
  body.set("min_p", settings.min_p.value_or(0));
  body.set("repeat_penalty", settings.repetition_penalty.value_or(1));
  for (const char* name :
       {"presence_penalty", "frequency_penalty", "dry_multiplier", "xtc_probability"})
    body.set(name, 0);
  body.set("typical_p", 1);
  body.set("top_n_sigma", -1);
  turn_off_extras(body);
}

/// 31 bits: a field of 32 has a value that means "by chance".
std::int64_t short_seed(std::uint64_t seed) {
  return static_cast<std::int64_t>(seed & 0x7fffffffU);
}

void put_settings(Dict& body, const GenerateItem& item) {
  const GenerationSettings& settings = *item.settings;
  const bool given = settings.parameters == GenerationParameters::given;
  if (settings.parameters != GenerationParameters::backend)
    body.set("n_predict", settings.max_tokens);
  if (given && !settings.sample) put_greedy(body, settings);
  if (given && settings.sample) put_sampling(body, settings);
  if (given && settings.sample) body.set("seed", short_seed(item.seed));
  List stops;
  for (const std::string& stop : settings.until)
    if (!stop.empty()) stops.emplace_back(stop);
  if (!stops.empty()) body.set("stop", std::move(stops));
}

void put_manner(Dict& body, const Manner& manner) {
  body.set("cache_prompt", manner.cache_prompt);
  if (manner.slot) body.set("id_slot", *manner.slot);
}

Value generated_fields() {
  return list_of({"content", "tokens", "tokens_evaluated", "tokens_predicted", "truncated",
                  "stop_type", "stopping_word"});
}

std::optional<FinishReason> finish_of(const Value& answer) {
  const auto type = text_at(answer, "stop_type");
  if (type == "eos") return FinishReason::end_of_sequence;
  if (type == "word") return FinishReason::stop_string;
  if (type == "limit") return FinishReason::length;
  return std::nullopt;
}

std::optional<std::vector<Token>> tokens_at(const Value& answer) {
  const Value* list = answer.find("tokens");
  if (list == nullptr || !list->is_list()) return std::nullopt;
  std::vector<Token> tokens;
  for (const Value& token : list->items()) {
    if (!token.is_int() || token.as_int() < 0 || token.as_int() > INT32_MAX) return std::nullopt;
    tokens.push_back(static_cast<Token>(token.as_int()));
  }
  return tokens;
}

/// "" if the prompt that was read is the one that was sent, whole and to the end.
std::string prompt_fault(const Value& answer, const Asked& asked) {
  const auto read = integer_at(answer, "tokens_evaluated");
  if (!read || *read < 0) return "no tokens_evaluated in the answer";
  if (asked.prompt_tokens) {
    const PromptFault fault = fault_in_count(*asked.prompt_tokens, static_cast<std::size_t>(*read));
    if (fault != PromptFault::none)
      return fmt::format("{}: the server read another number of tokens than were sent",
                         name_of(fault));
  }
  // A full context ends an answer. More than fits has been through it only if a part was dropped.
  const auto total =
      static_cast<std::size_t>(*read + integer_at(answer, "tokens_predicted").value_or(0));
  if (true_at(answer, "truncated") && asked.context_length > 0 && total > asked.context_length)
    return "silent truncation: the server dropped a part of the prompt while it answered";
  return "";
}

/// `text` without what the server cut off at its end.
Read<core::Generated> generated_with(std::string text, const Value& answer) {
  const auto finish = finish_of(answer);
  if (!finish) return no_answer("no known stop_type in the answer");
  auto tokens = tokens_at(answer);
  if (!tokens) return no_answer("no tokens in the answer");
  core::Generated generated{std::move(text), std::move(*tokens), *finish};
  if (*finish == FinishReason::stop_string)
    generated.text += text_at(answer, "stopping_word").value_or("");
  return generated;
}

}  // namespace

Result<Props> read_props(const Value& answer) {
  const Value settings = dict_at(answer, "default_generation_settings");
  const auto build = text_at(answer, "build_info");
  if (!build) return no_llama_server("/props", "build_info");
  const Value* defaults = settings.find("params");
  if (defaults == nullptr || !defaults->is_dict())
    return no_llama_server("/props", "default_generation_settings.params");
  Props props;
  props.build = *build;
  props.defaults = *defaults;
  props.model_path = text_at(answer, "model_path").value_or("");
  props.model_name = text_at(answer, "model_alias").value_or("");
  props.file_type = text_at(answer, "model_ftype").value_or("");
  props.chat_template = text_at(answer, "chat_template").value_or("");
  props.bos_text = text_at(answer, "bos_token").value_or("");
  props.eos_text = text_at(answer, "eos_token").value_or("");
  const std::int64_t slots = integer_at(answer, "total_slots").value_or(1);
  const std::int64_t length = integer_at(settings, "n_ctx").value_or(0);
  if (slots < 1 || length < 1) return no_llama_server("/props", "number of slots or n_ctx above 0");
  props.slots = static_cast<std::size_t>(slots);
  props.context_length = static_cast<std::size_t>(length);
  return props;
}

std::string template_body(const Value& messages) {
  Dict body;
  body.set("messages", messages);
  return base::json::dump(body);
}

Result<std::string> read_prompt(const Value& answer) {
  auto prompt = text_at(answer, "prompt");
  if (!prompt) return no_llama_server("/apply-template", "prompt");
  return std::move(*prompt);
}

std::string generate_body(const GenerateItem& item, const Manner& manner) {
  Dict body;
  body.set("prompt", list_of(item.tokens));
  put_settings(body, item);
  put_manner(body, manner);
  body.set("return_tokens", true);
  body.set("response_fields", generated_fields());
  return base::json::dump(body);
}

std::string chat_body(const Value& messages, const GenerateItem& item, const Manner& manner) {
  Dict body;
  body.set("messages", messages);
  put_settings(body, item);
  put_manner(body, manner);
  body.set("return_tokens", true);
  body.set("verbose", true);  // the only way to learn which stop string ended the answer
  body.set("response_fields", generated_fields());
  return base::json::dump(body);
}

std::string next_token_body(std::span<const Token> prompt, Token wanted, const Manner& manner) {
  Dict body;
  body.set("prompt", list_of(prompt));
  body.set("n_predict", 1);
  body.set("n_probs", 1);
  body.set("post_sampling_probs", false);
  body.set("logit_bias", bias_of(wanted));
  body.set("temperature", 1);
  body.set("samplers", list_of({"top_k"}));
  body.set("top_k", 1);
  turn_off_extras(body);
  put_manner(body, manner);
  body.set("response_fields", list_of({"tokens_evaluated", "tokens_predicted", "truncated",
                                       "completion_probabilities"}));
  return base::json::dump(body);
}

Read<core::Generated> read_generated(const Value& answer, const Asked& asked) {
  if (std::string fault = prompt_fault(answer, asked); !fault.empty())
    return no_answer(std::move(fault));
  auto text = text_at(answer, "content");
  if (!text) return no_answer("no content in the answer");
  return generated_with(std::move(*text), answer);
}

Read<core::Generated> read_chat(const Value& answer, const Asked& asked) {
  const Value* choice = first_of(answer.find("choices"));
  if (choice == nullptr) return no_answer("no choices in the answer");
  auto text = text_at(dict_at(*choice, "message"), "content");
  if (!text) return no_answer("no content in the answer");
  const Value native = dict_at(answer, "__verbose");
  if (std::string fault = prompt_fault(native, asked); !fault.empty())
    return no_answer(std::move(fault));
  return generated_with(std::move(*text), native);
}

Read<core::LogLikelihood> read_next_token(const Value& answer, Token wanted, const Asked& asked) {
  if (std::string fault = prompt_fault(answer, asked); !fault.empty())
    return no_answer(std::move(fault));
  const Value* place = first_of(answer.find("completion_probabilities"));
  if (place == nullptr) return no_answer("no log-probabilities in the answer");
  const Value* likeliest = first_of(place->find("top_logprobs"));
  if (likeliest == nullptr) return no_answer("no top_logprobs in the answer");
  if (integer_at(*place, "id") != wanted)
    return no_answer("the server did not take the token that was asked about");
  const auto value = number_at(*place, "logprob");
  const auto highest = number_at(*likeliest, "logprob");
  if (!value || !highest) return no_answer("a log-probability is no number");
  if (!(*value <= 0)) return no_answer("a log-probability is above 0");
  if (*value <= kUnderflow)
    return no_answer("a log-probability is too low for the server to tell it");
  const bool greedy = integer_at(*likeliest, "id") == wanted;
  if (!greedy && *value > *highest)
    return no_answer("a log-probability is above that of the likeliest token");
  return core::LogLikelihood{*value, greedy};
}

}  // namespace tare::backend::http::llama_server
