#include "backend/http/llama_server.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "backend/byte_tokenizer.h"
#include "backend/http/first_answer.h"
#include "backend/http/llama_server_tokenizer.h"
#include "backend/http/messages.h"
#include "base/hash.h"

namespace tare::backend::http {
namespace {

using base::Dict;
using base::Result;
using base::Value;
using llama_server::Asked;
using llama_server::Props;

constexpr const char* kCompletion = "/completion";
constexpr const char* kChat = "/v1/chat/completions";

class LlamaServerDialect final : public Dialect {
 public:
  LlamaServerDialect(const LlamaServerOptions& options, Props props,
                     std::unique_ptr<core::Tokenizer> tokenizer, std::size_t concurrency)
      : options_(options),
        props_(std::move(props)),
        tokenizer_(std::move(tokenizer)),
        concurrency_(concurrency) {}

  [[nodiscard]] Capabilities capabilities() const override {
    Capabilities can{.loglikelihood = !options_.chat,
                     .generation = true,
                     .sampling = true,
                     .greedy_flag = !options_.chat,
                     .token_ids = !options_.chat,
                     .chat_messages = options_.chat,
                     .own_defaults = true};
    // The server refuses a prompt that fills its context. Bytes cannot be held against it.
    if (!options_.chat) can.context_length = props_.context_length - 1;
    return can;
  }

  [[nodiscard]] Identity identity() const override {
    Identity identity;
    identity.backend = "llama-server";
    identity.version = props_.build;
    identity.model_path = props_.model_path;
    identity.model_name = std::filesystem::path(props_.model_path).stem().string();
    identity.settings = settings();
    identity.circumstances = circumstances();
    identity.generation_defaults = props_.defaults;
    return identity;
  }

  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return *tokenizer_; }

  [[nodiscard]] std::size_t score_calls(const ScoreItem& item) const override {
    return item.tokens.size() - item.first_scored;
  }
  [[nodiscard]] Call score_call(const ScoreItem& item, std::size_t part) const override {
    const std::size_t length = item.first_scored + part;
    return {kCompletion,
            llama_server::next_token_body(std::span(item.tokens).first(length), item.tokens[length],
                                          options_.manner),
            true};
  }
  [[nodiscard]] Scored read_score(const ScoreItem& item, std::size_t part,
                                  std::string_view body) const override {
    const std::size_t length = item.first_scored + part;
    const auto answer = parse_object(body);
    if (!answer) return tl::unexpected(answer.error());
    return llama_server::read_next_token(*answer, item.tokens[length],
                                         {length, props_.context_length});
  }

  [[nodiscard]] Call generate_call(const GenerateItem& item) const override {
    if (options_.chat)
      return {kChat, llama_server::chat_body(messages_of(item.tokens), item, options_.manner),
              true};
    return {kCompletion, llama_server::generate_body(item, options_.manner), true};
  }
  [[nodiscard]] Continued read_generated(const GenerateItem& item,
                                         std::string_view body) const override {
    const auto answer = parse_object(body);
    if (!answer) return tl::unexpected(answer.error());
    if (asks_nothing(*item.settings)) return core::Generated{};
    if (options_.chat)
      return llama_server::read_chat(*answer, {std::nullopt, props_.context_length});
    return llama_server::read_generated(*answer, {item.tokens.size(), props_.context_length});
  }

 private:
  /// The server gives a token where none is asked for.
  static bool asks_nothing(const core::GenerationSettings& settings) {
    return settings.parameters != core::GenerationParameters::backend && settings.max_tokens == 0;
  }

  [[nodiscard]] Value settings() const {
    Dict dict;
    dict.set("endpoint", options_.chat ? "chat" : "completion");
    dict.set("model", props_.model_path);
    dict.set("tokens", options_.chat ? "bytes; the server counts its own" : "ids of the server");
    dict.set("file_type", props_.file_type);
    dict.set("context_length", props_.context_length);
    dict.set("slots", props_.slots);
    dict.set("cache_prompt", options_.manner.cache_prompt);
    if (options_.manner.slot) dict.set("slot", *options_.manner.slot);
    dict.set("chat_template_sha256", base::sha256_hex(props_.chat_template));
    return dict;
  }

  [[nodiscard]] Value circumstances() const {
    Dict dict = manner_of(options_.servers);
    dict.set("concurrency", concurrency_);
    return dict;
  }

  LlamaServerOptions options_;
  Props props_;
  std::unique_ptr<core::Tokenizer> tokenizer_;
  std::size_t concurrency_;
};

constexpr Sought kSought{"a llama-server (llama.cpp)", "the URL", "LLAMA_API_KEY"};

Call props_call() {
  return {"/props", "", true};
}

Result<Props> props_of(Client& client, std::size_t endpoint) {
  TARE_TRY(const Value answer, first_answer(client, props_call(), endpoint, kSought));
  auto props = llama_server::read_props(answer);
  if (!props) return base::in_context(client.endpoints()[endpoint], props.error());
  return props;
}

/// What two servers of one model must have in common, as text.
std::string kind_of(const Props& props) {
  return fmt::format("{}, {}, n_ctx {}, {} slots, chat template {:.8}", props.build,
                     props.file_type, props.context_length, props.slots,
                     base::sha256_hex(props.chat_template));
}

Result<Props> common_props(Client& client) {
  client.await_start(props_call(), client.endpoints().size());
  TARE_TRY(Props first, props_of(client, 0));
  for (std::size_t i = 1; i < client.endpoints().size(); ++i) {
    TARE_TRY(const Props other, props_of(client, i));
    if (kind_of(other) != kind_of(first))
      return base::input_error(fmt::format(
          "--model: servers differ: {} is {}, {} is {}; wanted the same model, build "
          "and options on all",
          client.endpoints()[0], kind_of(first), client.endpoints()[i], kind_of(other)));
  }
  return first;
}

/// The server would take another slot and not say so: the number modulo how many there are.
base::Status check_slot(const LlamaServerOptions& options, const Props& props) {
  const std::optional<std::int64_t> slot = options.manner.slot;
  if (!slot || static_cast<std::size_t>(*slot) < props.slots) return {};
  return base::usage_error(
      fmt::format("--model: slot={}: {} has {} (its option -np); wanted {}", *slot,
                  options.servers.endpoints.front(),
                  props.slots == 1 ? "one slot" : fmt::format("{} slots", props.slots),
                  props.slots == 1 ? "slot=0" : fmt::format("one from 0 to {}", props.slots - 1)));
}

Value message(const char* role, const char* content) {
  Dict dict;
  dict.set("role", role);
  dict.set("content", content);
  return dict;
}

core::Warning chat_warning(PromptFault fault, std::string_view why) {
  return {"chat-prompt", fmt::format("{}: {}", name_of(fault), why), 1};
}

/// What the server's template makes of a conversation with a system message.
std::vector<core::Warning> chat_warnings(Client& client, const core::Tokenizer& tokenizer,
                                         const Props& props) {
  const char* const system = "Tare asks for a system message.";
  const char* const user = "Tare asks as a user.";
  const Call call{
      "/apply-template",
      llama_server::template_body(base::List{message("system", system), message("user", user)}),
      true};
  const auto prompt = client.ask_json(call).and_then(llama_server::read_prompt);
  if (!prompt)
    return {chat_warning(PromptFault::lost_system_message,
                         "the chat template takes no system message: " + prompt.error().text)};
  PromptFault fault = fault_in_conversation({*prompt, system, user}, props.bos_text);
  if (fault == PromptFault::none)
    fault = fault_in_tokens(tokenizer.encode(*prompt, false), tokenizer.encode(*prompt, true),
                            tokenizer.prefix_token());
  if (fault == PromptFault::none || fault == PromptFault::extra_tokens) return {};
  return {chat_warning(fault, "what the server makes of a conversation")};
}

}  // namespace

Result<Opened> open_llama_server(const LlamaServerOptions& options) {
  return open_llama_server(options, std::make_shared<Client>(options.servers));
}

Result<Opened> open_llama_server(const LlamaServerOptions& options,
                                 std::shared_ptr<Client> client) {
  TARE_TRY(Props props, common_props(*client));
  TARE_CHECK(check_slot(options, props));
  TARE_TRY(auto ids, LlamaServerTokenizer::open(client, props));
  std::vector<core::Warning> warnings;
  if (options.chat) warnings = chat_warnings(*client, *ids, props);
  TARE_CHECK(ids->status());
  std::unique_ptr<core::Tokenizer> tokenizer = std::move(ids);
  if (options.chat) tokenizer = std::make_unique<ByteTokenizer>();
  const std::size_t concurrency =
      options.own_concurrency ? options.servers.limits.concurrency : props.slots;
  client->limit_concurrency(concurrency);
  auto dialect = std::make_shared<LlamaServerDialect>(options, std::move(props),
                                                      std::move(tokenizer), concurrency);
  return Opened{make_backend(std::move(client), std::move(dialect)), std::move(warnings)};
}

Result<ServerChat> read_llama_server_chat(const Servers& servers) {
  Client client(servers);
  client.await_start(props_call(), 1);
  TARE_TRY(Props props, props_of(client, 0));
  return ServerChat{std::move(props.chat_template), std::move(props.bos_text),
                    std::move(props.eos_text)};
}

}  // namespace tare::backend::http
