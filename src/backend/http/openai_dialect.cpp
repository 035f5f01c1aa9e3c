#include "backend/http/openai_dialect.h"

#include <algorithm>
#include <utility>

#include "backend/http/messages.h"
#include "base/json.h"

namespace tare::backend::http {
namespace {

using base::Dict;
using base::List;
using base::Value;
using core::FinishReason;
using core::GenerationParameters;
using core::GenerationSettings;

/// Seeds that every server's integers hold.
constexpr std::uint64_t kMostSeed = 0x7fffffff;

std::optional<std::int64_t> prompt_tokens(const Value& answer) {
  const Value* usage = answer.find("usage");
  const Value* told = usage != nullptr ? usage->find("prompt_tokens") : nullptr;
  return told != nullptr && told->is_int() ? std::optional(told->as_int()) : std::nullopt;
}

/// The one choice that was asked for.
Read<Value> only_choice(const Value& answer) {
  const Value* choices = answer.find("choices");
  if (choices == nullptr || !choices->is_list()) return no_answer("no choices in the answer");
  if (choices->items().size() != 1)
    return no_answer("the answer has another number of choices than was asked for");
  if (!choices->items().front().is_dict()) return no_answer("a choice in the answer is no object");
  return choices->items().front();
}

/// Parameters beyond OpenAI's own have vLLM's names, which most servers share.
void set_sampling(Dict& body, const GenerationSettings& settings, std::uint64_t seed) {
  if (!settings.sample) {
    body.set("temperature", 0.0);
    return;
  }
  body.set("temperature", settings.temperature);
  if (settings.top_p) body.set("top_p", *settings.top_p);
  if (settings.top_k) body.set("top_k", *settings.top_k);
  if (settings.min_p) body.set("min_p", *settings.min_p);
  if (settings.repetition_penalty) body.set("repetition_penalty", *settings.repetition_penalty);
  body.set("seed", static_cast<std::int64_t>(seed & kMostSeed));
}

void set_settings(Dict& body, const GenerateItem& item, const OpenAiOptions& options) {
  const GenerationSettings& settings = *item.settings;
  if (settings.parameters == GenerationParameters::given) set_sampling(body, settings, item.seed);
  if (settings.parameters != GenerationParameters::backend)
    body.set(options.length_name, settings.max_tokens);
  const std::size_t stops = std::min(options.most_stops, settings.until.size());
  if (stops == 0) return;
  body.set("stop", List(settings.until.begin(),
                        settings.until.begin() + static_cast<std::ptrdiff_t>(stops)));
}

/// vLLM says at which stop string it ended; elsewhere "stop" leaves open why, and what is told is
/// that the model ended its answer.
Read<FinishReason> finish_of(const Value& choice) {
  const Value* told = choice.find("finish_reason");
  if (told == nullptr || !told->is_string()) return no_answer("no finish_reason in the answer");
  const std::string& reason = told->as_string();
  if (reason == "length") return FinishReason::length;
  if (reason == "content_filter")
    return no_answer("the server withheld the answer (content_filter)");
  if (reason != "stop" && reason != "eos" && reason != "eos_token" && reason != "stop_sequence")
    return no_answer("a finish_reason in the answer that is not known");
  const Value* stop = choice.find("stop_reason");
  const bool at_string = reason == "stop_sequence" || (stop != nullptr && stop->is_string());
  return at_string ? FinishReason::stop_string : FinishReason::end_of_sequence;
}

Read<std::string> text_of(const Value& choice, bool chat) {
  const Value* message = chat ? choice.find("message") : nullptr;
  const Value* text =
      chat ? (message != nullptr ? message->find("content") : nullptr) : choice.find("text");
  if (text == nullptr || !text->is_string()) return no_answer("no text in the answer");
  return text->as_string();
}

/// Those that vLLM adds where it is asked to; nothing if it did not.
std::vector<core::Token> token_ids_of(const Value& choice) {
  std::vector<core::Token> tokens;
  const Value* list = choice.find("token_ids");
  if (list == nullptr || !list->is_list()) return tokens;
  for (const Value& id : list->items())
    if (id.is_int()) tokens.push_back(static_cast<core::Token>(id.as_int()));
  return tokens;
}

/// A tokenizer may drop a space at the beginning, and no more than that. Of vLLM's first token the
/// text is not told.
bool is_cut(const std::vector<TextToken>& tokens, const std::string& text) {
  if (tokens.empty() || tokens.front().characters == 0) return false;
  std::size_t read = 1;
  for (const TextToken& token : tokens) read += token.characters;
  return read < characters(text);
}

}  // namespace

std::string_view name_of(ScoreMethod method) {
  switch (method) {
    case ScoreMethod::none:
      break;
    case ScoreMethod::echo:
      return "echo, max_tokens 0";
    case ScoreMethod::echo_and_one:
      return "echo, max_tokens 1";
    case ScoreMethod::prompt_scores:
      return "prompt_logprobs";
  }
  return "none";
}

OpenAiDialect::OpenAiDialect(OpenAiOptions options, OpenAiServer server)
    : options_(std::move(options)), server_(std::move(server)) {}

Capabilities OpenAiDialect::capabilities() const {
  Capabilities can;
  can.loglikelihood = server_.scoring != ScoreMethod::none;
  can.generation = true;
  can.sampling = true;
  can.greedy_flag = can.loglikelihood && server_.greedy;
  can.token_ids = sends_ids();
  can.chat_messages = options_.chat;
  can.own_defaults = true;
  // Of bytes it is not known how many fit.
  if (!sends_ids()) return can;
  const std::size_t told =
      options_.context_length != 0 ? options_.context_length : server_.context_length;
  // A server that always generates needs room for it, and the last token is sent as well.
  const std::size_t spare = server_.scoring == ScoreMethod::echo ? 1 : 2;
  can.context_length = told > spare ? told - spare : 0;
  return can;
}

Identity OpenAiDialect::identity() const {
  Identity identity;
  identity.backend = "openai";
  identity.version = server_.software;
  identity.model_path = options_.servers.endpoints.front();
  identity.model_name = server_.model;
  Dict settings;
  settings.set("model", server_.model);
  settings.set("endpoint", options_.chat ? "chat" : "completions");
  settings.set("server", server_.header);
  settings.set("tokens", sends_ids() ? "ids of the server" : "bytes; the server counts its own");
  settings.set("scoring", name_of(server_.scoring));
  identity.settings = std::move(settings);
  identity.circumstances = manner_of(options_.servers);
  identity.generation_defaults = server_.defaults;
  return identity;
}

const core::Tokenizer& OpenAiDialect::tokenizer() const {
  if (server_.tokenizer) return *server_.tokenizer;
  return bytes_;
}

Value OpenAiDialect::prompt_value(std::span<const core::Token> tokens) const {
  if (!sends_ids()) return bytes_text(tokens);
  List ids;
  ids.reserve(tokens.size());
  for (const core::Token token : tokens) ids.emplace_back(static_cast<std::int64_t>(token));
  return ids;
}

Call OpenAiDialect::score_call(const ScoreItem& item, std::size_t) const {
  Dict body;
  body.set("model", server_.model);
  body.set("prompt", prompt_value(item.tokens));
  body.set("temperature", 0.0);
  body.set("max_tokens", server_.scoring == ScoreMethod::echo ? 0 : 1);
  if (server_.scoring == ScoreMethod::prompt_scores) {
    body.set("prompt_logprobs", 0);
  } else {
    body.set("echo", true);
    body.set("logprobs", 1);
  }
  return {"/completions", base::json::dump(Value(std::move(body)))};
}

Read<OpenAiDialect::ScoredText> OpenAiDialect::read_text(const ScoreItem& item,
                                                         std::string_view body) const {
  auto answer = parse_object(body);
  if (!answer) return tl::unexpected(answer.error());
  auto choice = only_choice(*answer);
  if (!choice) return tl::unexpected(choice.error());
  const Value* usage = answer->find("usage");
  auto tokens = server_.scoring == ScoreMethod::prompt_scores
                    ? read_prompt_logprobs(*choice)
                    : read_echo(*choice, usage != nullptr ? *usage : Value());
  if (!tokens) return tl::unexpected(tokens.error());
  if (sends_ids()) {
    const auto found = static_cast<std::int64_t>(tokens->size());
    if (auto same = check_prompt_tokens(found, item.tokens.size()); !same)
      return tl::unexpected(same.error());
    return ScoredText{std::move(*tokens), item.first_scored};
  }
  if (is_cut(*tokens, bytes_text(item.tokens)))
    return no_answer("the server cut the prompt: it read less text than was sent");
  const std::string continuation = bytes_text(std::span(item.tokens).subspan(item.first_scored));
  auto first = place_of_last(*tokens, characters(continuation));
  if (!first) return tl::unexpected(first.error());
  return ScoredText{std::move(*tokens), *first};
}

Scored OpenAiDialect::read_score(const ScoreItem& item, std::size_t, std::string_view body) const {
  auto text = read_text(item, body);
  if (!text) return tl::unexpected(text.error());
  auto sum = sum_from(text->tokens, text->first);
  if (sum && server_.greedy && !tells_greedy(text->tokens, text->first))
    return no_answer("no most likely tokens in the answer");
  return sum;
}

Call OpenAiDialect::generate_call(const GenerateItem& item) const {
  Dict body;
  body.set("model", server_.model);
  if (options_.chat)
    body.set("messages", messages_of(item.tokens));
  else
    body.set("prompt", prompt_value(item.tokens));
  set_settings(body, item, options_);
  if (sends_ids()) body.set("return_token_ids", true);
  return {options_.chat ? "/chat/completions" : "/completions",
          base::json::dump(Value(std::move(body)))};
}

Continued OpenAiDialect::read_generated(const GenerateItem& item, std::string_view body) const {
  auto answer = parse_object(body);
  if (!answer) return tl::unexpected(answer.error());
  auto choice = only_choice(*answer);
  if (!choice) return tl::unexpected(choice.error());
  auto text = text_of(*choice, options_.chat);
  if (!text) return tl::unexpected(text.error());
  auto finish = finish_of(*choice);
  if (!finish) return tl::unexpected(finish.error());
  const auto sent = sends_ids() ? std::optional(item.tokens.size()) : std::nullopt;
  if (auto whole = check_prompt_tokens(prompt_tokens(*answer), sent); !whole)
    return tl::unexpected(whole.error());
  core::Generated generated{std::move(*text), {}, *finish};
  generated.tokens = sends_ids() ? token_ids_of(*choice) : bytes_.encode(generated.text, false);
  return generated;
}

}  // namespace tare::backend::http
