#include "backend/http/remote_tokenizer.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"

namespace tare::backend::http {
namespace {

using base::Dict;
using base::Result;
using base::Value;
using core::Token;

Call posted(std::string path, Dict body) {
  return {std::move(path), base::json::dump(Value(std::move(body))), true};
}

base::List ids_list(std::span<const Token> tokens) {
  base::List ids;
  ids.reserve(tokens.size());
  for (const Token token : tokens) ids.emplace_back(static_cast<std::int64_t>(token));
  return ids;
}

Result<std::vector<Token>> read_ids(const Value& answer) {
  const Value* list = answer.find("tokens");
  if (list == nullptr || !list->is_list())
    return base::work_failed("the server's tokenizer gave no list of tokens");
  std::vector<Token> tokens;
  tokens.reserve(list->items().size());
  for (const Value& id : list->items()) {
    if (!id.is_int() || id.as_int() < 0 || id.as_int() > INT32_MAX)
      return base::work_failed("the server's tokenizer gave a token that is no id");
    tokens.push_back(static_cast<Token>(id.as_int()));
  }
  return tokens;
}

Result<std::vector<Token>> ids_in(const Answer& body) {
  if (!body) return base::work_failed(body.error().reason);
  TARE_TRY(const Value answer, base::json::parse(*body));
  return read_ids(answer);
}

}  // namespace

TokenizeApi vllm_tokenize(const std::string& model) {
  return {[model](std::string_view text, bool specials) {
            Dict body;
            body.set("model", model);
            body.set("prompt", text);
            body.set("add_special_tokens", specials);
            return posted("/tokenize", std::move(body));
          },
          [model](std::span<const Token> tokens) {
            Dict body;
            body.set("model", model);
            body.set("tokens", ids_list(tokens));
            return posted("/detokenize", std::move(body));
          },
          "prompt"};
}

TokenizeApi llama_tokenize() {
  return {[](std::string_view text, bool specials) {
            Dict body;
            body.set("content", text);
            body.set("add_special", specials);
            body.set("parse_special", true);
            return posted("/tokenize", std::move(body));
          },
          [](std::span<const Token> tokens) {
            Dict body;
            body.set("tokens", ids_list(tokens));
            return posted("/detokenize", std::move(body));
          },
          "content"};
}

RemoteTokenizer::RemoteTokenizer(std::shared_ptr<Client> client, TokenizeApi api)
    : client_(std::move(client)), api_(std::move(api)) {}

Result<std::shared_ptr<RemoteTokenizer>> RemoteTokenizer::open(std::shared_ptr<Client> client,
                                                               TokenizeApi api) {
  const std::shared_ptr<RemoteTokenizer> tokenizer(
      new RemoteTokenizer(std::move(client), std::move(api)));
  TARE_TRY(const std::vector<Token> some, tokenizer->tokens_of("a plain text", false));
  if (some.empty()) return base::work_failed("the server's tokenizer gave no tokens");
  TARE_TRY(const std::vector<Token> none, tokenizer->tokens_of("", true));
  if (!none.empty()) {
    tokenizer->prefix_ = none.front();
    tokenizer->prefix_text_ = tokenizer->decode(std::span(none).first(1), true);
  }
  TARE_CHECK(tokenizer->status());
  return tokenizer;
}

Result<Value> RemoteTokenizer::ask(const Call& call) const {
  base::Result<Value> answer;
  for (std::size_t i = 0; i < client_->endpoints().size(); ++i)
    if (answer = client_->ask_json(call, i); answer) break;
  return answer;
}

Result<std::vector<Token>> RemoteTokenizer::tokens_of(std::string_view text, bool specials) const {
  TARE_TRY(const Value answer, ask(api_.encode(text, specials)));
  return read_ids(answer);
}

void RemoteTokenizer::foresee(std::span<const core::ForeseenText> texts) const {
  foreseen_.clear();
  if (!status_) return;
  for (const core::ForeseenText& text : texts) foreseen_.try_emplace({text.text, text.specials});
  std::vector<Key> asked;
  for (const auto& entry : foreseen_) asked.push_back(entry.first);
  const auto call = [&](std::size_t i) { return api_.encode(asked[i].first, asked[i].second); };
  const auto done = [&](std::size_t i, const Answer& body) {
    auto tokens = ids_in(body);
    // What went wrong is told when the text is asked for by itself.
    if (tokens)
      foreseen_[asked[i]] = std::move(*tokens);
    else
      foreseen_.erase(asked[i]);
  };
  if (const auto ran = client_->run(asked.size(), call, done, {}); !ran) status_ = ran;
}

std::vector<Token> RemoteTokenizer::encode(std::string_view text, bool specials) const {
  if (!status_) return {};
  if (const auto known = foreseen_.find({std::string(text), specials}); known != foreseen_.end())
    return known->second;
  auto tokens = tokens_of(text, specials);
  if (tokens) return std::move(*tokens);
  status_ = tl::unexpected(tokens.error());
  return {};
}

std::string RemoteTokenizer::decode(std::span<const Token> tokens, bool) const {
  if (!status_ || tokens.empty()) return "";
  auto answer = ask(api_.decode(tokens));
  const Value* text = answer ? answer->find(api_.text_key) : nullptr;
  if (text != nullptr && text->is_string()) return text->as_string();
  status_ = answer ? base::work_failed("the server's tokenizer gave no text for tokens")
                   : base::Status(tl::unexpected(answer.error()));
  return "";
}

}  // namespace tare::backend::http
