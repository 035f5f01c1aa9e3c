#include "backend/python/protocol.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/json.h"

namespace tare::backend::python {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;
using core::Token;

/// A sum of rounded log-probabilities of a certain continuation may end a little above 0.
constexpr double kRounding = 1e-6;

std::string line_of(std::int64_t id, const char* operation, Dict request) {
  request.set("id", id);
  request.set("op", operation);
  return base::json::dump(request, {.ascii_only = true});
}

List token_list(std::span<const Token> tokens) {
  List list;
  list.reserve(tokens.size());
  for (const Token token : tokens) list.emplace_back(static_cast<std::int64_t>(token));
  return list;
}

const char* name_of(core::GenerationParameters parameters) {
  switch (parameters) {
    case core::GenerationParameters::given:
      return "given";
    case core::GenerationParameters::given_length:
      return "given_length";
    case core::GenerationParameters::backend:
      return "backend";
  }
  return "";
}

Dict settings_dict(const core::GenerationSettings& settings) {
  Dict dict;
  dict.set("parameters", name_of(settings.parameters));
  dict.set("max_tokens", settings.max_tokens);
  dict.set("sample", settings.sample);
  if (settings.sample) dict.set("temperature", settings.temperature);
  if (settings.top_p) dict.set("top_p", *settings.top_p);
  if (settings.min_p) dict.set("min_p", *settings.min_p);
  if (settings.top_k) dict.set("top_k", *settings.top_k);
  if (settings.repetition_penalty) dict.set("repetition_penalty", *settings.repetition_penalty);
  return dict;
}

base::Failure broken(const std::string& what) {
  return base::work_failed("its answer breaks the protocol: " + what);
}

const Value* entry(const Value& dict, std::string_view key, Value::Kind kind) {
  const Value* found = dict.find(key);
  return found != nullptr && found->kind() == kind ? found : nullptr;
}

Result<std::string> text_entry(const Value& dict, std::string_view key) {
  const Value* found = entry(dict, key, Value::Kind::string);
  if (found == nullptr) return broken(fmt::format("{} is no text", key));
  return found->as_string();
}

/// A number of tokens, or the id of one.
Result<Token> token_entry(const Value& value) {
  if (!value.is_int() || value.as_int() < 0 || value.as_int() > std::numeric_limits<Token>::max())
    return broken("a token is no number from 0 on");
  return static_cast<Token>(value.as_int());
}

Result<std::vector<Token>> tokens_of(const Value* list) {
  if (list == nullptr || !list->is_list()) return broken("tokens is no list");
  std::vector<Token> tokens;
  tokens.reserve(list->items().size());
  for (const Value& value : list->items()) {
    TARE_TRY(const Token token, token_entry(value));
    tokens.push_back(token);
  }
  return tokens;
}

/// The one entry of a list of answers to one question.
Result<Value> only_entry(const Value& body, std::string_view key) {
  const Value* list = entry(body, key, Value::Kind::list);
  if (list == nullptr || list->items().size() != 1)
    return broken(fmt::format("{} is no list of one", key));
  return list->items()[0];
}

/// Why there is no answer to one item; "" if there is one.
std::string failure_of(const Value& result) {
  const Value* error = result.find("error");
  if (error == nullptr) return "";
  return error->is_string() && !error->as_string().empty() ? error->as_string()
                                                           : "the worker gave no reason";
}

Result<core::LogLikelihood> score_of(const Value& result) {
  const Value* sum = result.find("sum");
  const Value* greedy = entry(result, "greedy", Value::Kind::boolean);
  if (sum == nullptr || !sum->is_number() || greedy == nullptr)
    return broken("a result has no sum or no greedy flag");
  return core::LogLikelihood{sum->as_number(), greedy->as_bool()};
}

Result<core::FinishReason> finish_of(const Value& result) {
  TARE_TRY(const std::string finish, text_entry(result, "finish"));
  if (finish == "end") return core::FinishReason::end_of_sequence;
  if (finish == "stop") return core::FinishReason::stop_string;
  if (finish == "length") return core::FinishReason::length;
  return broken("finish is none of end, stop and length");
}

Result<core::Generated> generated_of(const Value& result) {
  core::Generated generated;
  TARE_TRY(generated.text, text_entry(result, "text"));
  TARE_TRY(generated.tokens, tokens_of(result.find("tokens")));
  TARE_TRY(generated.finish, finish_of(result));
  return generated;
}

/// One outcome for each item, read by `read`.
template <class Outcome, class Read>
Result<std::vector<Outcome>> outcomes(const Value& body, std::size_t count, const Read& read) {
  const Value* results = entry(body, "results", Value::Kind::list);
  if (results == nullptr) return broken("there is no list of results");
  if (results->items().size() != count) return broken("it has another number of results");
  std::vector<Outcome> all;
  for (const Value& result : results->items()) {
    if (std::string why = failure_of(result); !why.empty()) {
      all.push_back(tl::unexpected(core::RequestFailure{std::move(why)}));
      continue;
    }
    TARE_TRY(Outcome outcome, read(result));
    all.push_back(std::move(outcome));
  }
  return all;
}

base::Status read_capabilities(const Value& body, Hello& hello) {
  const Value* can = entry(body, "capabilities", Value::Kind::dict);
  const Value* score = can == nullptr ? nullptr : entry(*can, "score", Value::Kind::boolean);
  const Value* generate = can == nullptr ? nullptr : entry(*can, "generate", Value::Kind::boolean);
  if (score == nullptr || generate == nullptr)
    return broken("capabilities lacks score or generate");
  hello.can_score = score->as_bool();
  hello.can_generate = generate->as_bool();
  return {};
}

Result<Value> dict_entry(const Value& body, std::string_view key) {
  const Value* found = entry(body, key, Value::Kind::dict);
  if (found == nullptr) return broken(fmt::format("{} is no object", key));
  return *found;
}

base::Status read_prefix(const Value& body, Hello& hello) {
  const Value* prefix = body.find("prefix");
  if (prefix == nullptr || prefix->is_none()) return {};
  TARE_TRY(hello.prefix, token_entry(*prefix));
  return {};
}

}  // namespace

std::string hello_line(std::int64_t id, const WorkerSettings& settings,
                       const std::vector<std::pair<std::string, std::string>>& sources) {
  List texts;
  for (const auto& [name, text] : sources) texts.emplace_back(List{name, text});
  Dict told;
  told.set("engine", settings.engine);
  told.set("path", settings.path);
  told.set("sha256", settings.weights_sha256);
  told.set("cache", settings.cache);
  told.set("dtype", settings.dtype);
  told.set("threads", static_cast<std::int64_t>(settings.threads));
  told.set("context_length", settings.context_length);
  told.set("load", settings.weights ? "model" : "tokenizer");
  Dict request;
  request.set("protocol", kProtocolVersion);
  request.set("sources", std::move(texts));
  request.set("settings", std::move(told));
  return line_of(id, "hello", std::move(request));
}

std::string tokenize_line(std::int64_t id, std::span<const std::string> texts, bool specials) {
  Dict request;
  request.set("texts", List(texts.begin(), texts.end()));
  request.set("specials", specials);
  return line_of(id, "tokenize", std::move(request));
}

std::string detokenize_line(std::int64_t id, std::span<const Token> tokens, bool specials) {
  Dict request;
  request.set("tokens", List{token_list(tokens)});
  request.set("specials", specials);
  return line_of(id, "detokenize", std::move(request));
}

std::string score_line(std::int64_t id, std::span<const ScoreItem> items) {
  List list;
  for (const ScoreItem& item : items) {
    Dict dict;
    dict.set("tokens", token_list(item.tokens));
    dict.set("first_scored", item.first_scored);
    list.emplace_back(std::move(dict));
  }
  Dict request;
  request.set("items", std::move(list));
  return line_of(id, "score", std::move(request));
}

std::string generate_line(std::int64_t id, std::span<const GenerateItem> items) {
  List list;
  for (const GenerateItem& item : items) {
    Dict dict;
    dict.set("tokens", token_list(item.tokens));
    // Libraries take seeds as signed numbers.
    dict.set("seed", static_cast<std::int64_t>(item.seed >> 1U));
    list.emplace_back(std::move(dict));
  }
  const core::GenerationSettings& settings = *items.front().settings;
  Dict request;
  request.set("items", std::move(list));
  request.set("settings", settings_dict(settings));
  request.set("until", List(settings.until.begin(), settings.until.end()));
  return line_of(id, "generate", std::move(request));
}

std::string bye_line(std::int64_t id) {
  return line_of(id, "bye", {});
}

Result<Reply> read_reply(std::string_view line, std::int64_t id) {
  auto message = base::json::parse(line);
  if (!message || !message->is_dict()) return broken("it is no JSON object");
  const Value* answered = entry(*message, "id", Value::Kind::integer);
  if (answered == nullptr || answered->as_int() != id) return broken("it is for another request");
  const Value* error = message->find("error");
  if (error == nullptr) return Reply(std::move(*message));
  if (!error->is_string() || error->as_string().empty()) return broken("an error without a text");
  return Reply(tl::unexpected(error->as_string()));
}

Result<Hello> read_hello(const Value& body) {
  Hello hello;
  const Value* protocol = entry(body, "protocol", Value::Kind::integer);
  if (protocol == nullptr || protocol->as_int() != kProtocolVersion)
    return broken(fmt::format("it speaks another version than {}", kProtocolVersion));
  TARE_TRY(hello.versions, dict_entry(body, "versions"));
  TARE_TRY(hello.settings, dict_entry(body, "settings"));
  TARE_TRY(hello.generation, dict_entry(body, "generation"));
  TARE_TRY(hello.prefix_text, text_entry(body, "prefix_text"));
  TARE_TRY(hello.end_text, text_entry(body, "end_text"));
  if (const Value* source = entry(body, "chat_template", Value::Kind::string))
    hello.chat_template = source->as_string();
  const Value* length = entry(body, "context_length", Value::Kind::integer);
  if (length == nullptr || length->as_int() < 0) return broken("context_length is no number");
  hello.context_length = static_cast<std::size_t>(length->as_int());
  TARE_CHECK(read_prefix(body, hello));
  TARE_CHECK(read_capabilities(body, hello));
  return hello;
}

Result<std::vector<Token>> read_tokens(const Value& body) {
  TARE_TRY(const Value tokens, only_entry(body, "tokens"));
  return tokens_of(&tokens);
}

Result<std::vector<std::vector<Token>>> read_token_lists(const Value& body, std::size_t count) {
  const Value* lists = entry(body, "tokens", Value::Kind::list);
  if (lists == nullptr || lists->items().size() != count)
    return broken("tokens is no list of as many as were asked for");
  std::vector<std::vector<Token>> all;
  all.reserve(count);
  for (const Value& list : lists->items()) {
    TARE_TRY(std::vector<Token> tokens, tokens_of(&list));
    all.push_back(std::move(tokens));
  }
  return all;
}

Result<std::string> read_text(const Value& body) {
  TARE_TRY(const Value text, only_entry(body, "texts"));
  if (!text.is_string()) return broken("a text is none");
  return text.as_string();
}

Result<std::vector<Scored>> read_scores(const Value& body, std::size_t count) {
  return outcomes<Scored>(body, count, [](const Value& result) -> Result<Scored> {
    TARE_TRY(const core::LogLikelihood score, score_of(result));
    if (std::isnan(score.sum) || score.sum > kRounding)
      return Scored(tl::unexpected(core::RequestFailure{std::isnan(score.sum)
                                                            ? "the log-likelihood is not a number"
                                                            : "the log-likelihood is above 0"}));
    return Scored(score);
  });
}

Result<std::vector<Continued>> read_generated(const Value& body, std::size_t count) {
  return outcomes<Continued>(body, count, [](const Value& result) -> Result<Continued> {
    TARE_TRY(core::Generated generated, generated_of(result));
    return Continued(std::move(generated));
  });
}

}  // namespace tare::backend::python
