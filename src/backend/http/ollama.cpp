#include "backend/http/ollama.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backend/byte_tokenizer.h"
#include "backend/http/first_answer.h"
#include "backend/http/judge.h"
#include "backend/http/messages.h"
#include "backend/http/ollama_wire.h"
#include "base/hash.h"
#include "base/json.h"

namespace tare::backend::http {
namespace {

using base::Dict;
using base::Result;
using base::Value;

/// What a server is and has.
struct Served {
  std::string version, digest;
  ollama::Model model;
};

class OllamaDialect final : public Dialect {
 public:
  OllamaDialect(const OllamaOptions& options, Served served, std::size_t concurrency)
      : options_(options),
        served_(std::move(served)),
        num_ctx_(options.num_ctx),
        concurrency_(concurrency) {}

  [[nodiscard]] Capabilities capabilities() const override {
    return {
        .generation = true, .sampling = true, .chat_messages = options_.chat, .own_defaults = true};
  }
  [[nodiscard]] Identity identity() const override {
    Identity identity;
    identity.backend = "ollama";
    identity.version = served_.version;
    identity.model_path = options_.model;
    identity.model_name = options_.model;
    identity.weights_sha256 = served_.model.weights_sha256;
    identity.settings = settings();
    identity.circumstances = circumstances();
    identity.generation_defaults = served_.model.defaults;
    return identity;
  }
  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return tokenizer_; }

  [[nodiscard]] Call score_call(const ScoreItem&, std::size_t) const override {
    return {"/api/version", "", true};
  }
  [[nodiscard]] Scored read_score(const ScoreItem&, std::size_t, std::string_view) const override {
    return tl::unexpected(core::RequestFailure{"no log-probabilities in Ollama's API"});
  }

  [[nodiscard]] Call generate_call(const GenerateItem& item) const override {
    if (options_.chat)
      return {"/api/chat",
              ollama::chat_body(options_.model, messages_of(item.tokens), item, num_ctx_), true};
    return {"/api/generate",
            ollama::generate_body(options_.model, bytes_text(item.tokens), item, num_ctx_), true};
  }
  [[nodiscard]] Continued read_generated(const GenerateItem& item,
                                         std::string_view body) const override {
    const auto answer = parse_object(body);
    if (!answer) return tl::unexpected(answer.error());
    const std::size_t bytes = item.tokens.size();
    if (const auto count = ollama::prompt_count(*answer)) {
      watch_.add({bytes, *count});
      if (watch_.stands_still())
        return no_answer(
            "silent truncation: long and short prompts are read as equally many tokens");
    } else {
      ++untold_;
    }
    const std::size_t most = item.settings->parameters == core::GenerationParameters::backend
                                 ? 0
                                 : item.settings->max_tokens;
    return ollama::read_generated(
        *answer, {.bytes = bytes, .num_ctx = num_ctx_, .raw = !options_.chat, .max_tokens = most});
  }

  /// Chooses num_ctx for all of these, unless it was given.
  void make_room(std::span<const GenerateItem> items) {
    if (options_.num_ctx > 0) return;
    std::size_t most = 0;
    for (const GenerateItem& item : items)
      most = std::max(most, item.tokens.size() + item.settings->max_tokens);
    if (options_.chat) most += served_.model.chat_template.size() + served_.model.system.size();
    num_ctx_ = ollama::context_for(most + 16, served_.model);
  }

 private:
  [[nodiscard]] Value settings() const {
    Dict dict;
    dict.set("endpoint", options_.chat ? "chat" : "generate");
    dict.set("tokens", "bytes; the server counts its own");
    dict.set("digest", served_.digest);
    dict.set("architecture", served_.model.architecture);
    dict.set("quantization", served_.model.quantization);
    dict.set("num_ctx", options_.num_ctx > 0 ? Value(options_.num_ctx) : Value("what is needed"));
    dict.set("chat_template_sha256", base::sha256_hex(served_.model.chat_template));
    dict.set("system_sha256", base::sha256_hex(served_.model.system));
    return dict;
  }
  [[nodiscard]] Value circumstances() const {
    Dict dict = manner_of(options_.servers);
    dict.set("concurrency", concurrency_);
    if (num_ctx_ > 0) dict.set("num_ctx", num_ctx_);
    dict.set("prompts_not_counted", untold_);
    return dict;
  }

  OllamaOptions options_;
  Served served_;
  std::size_t num_ctx_;
  std::size_t concurrency_;
  ByteTokenizer tokenizer_;
  mutable CountWatch watch_;
  mutable std::size_t untold_ = 0;
};

/// Asks all prompts with one num_ctx: for another one the server would load the model anew.
class OllamaBackend final : public Backend {
 public:
  OllamaBackend(std::unique_ptr<Backend> backend, std::shared_ptr<OllamaDialect> dialect)
      : backend_(std::move(backend)), dialect_(std::move(dialect)) {}

  [[nodiscard]] Capabilities capabilities() const override { return backend_->capabilities(); }
  [[nodiscard]] Identity identity() const override { return backend_->identity(); }
  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return backend_->tokenizer(); }
  base::Status score(std::span<const ScoreItem> items, const Sink& sink,
                     std::stop_token stop) override {
    return backend_->score(items, sink, std::move(stop));
  }
  base::Status generate(std::span<const GenerateItem> items, const GenerateSink& sink,
                        std::stop_token stop) override {
    dialect_->make_room(items);
    return backend_->generate(items, sink, std::move(stop));
  }
  Result<core::Invariance> probe(std::span<const ScoreItem> items,
                                 std::span<const GenerateItem> generations,
                                 std::stop_token stop) override {
    return backend_->probe(items, generations, std::move(stop));
  }
  [[nodiscard]] Computed computed() const override { return backend_->computed(); }

 private:
  std::unique_ptr<Backend> backend_;
  std::shared_ptr<OllamaDialect> dialect_;
};

constexpr Sought kSought{"an Ollama server", "url= (or OLLAMA_HOST)", "OLLAMA_API_KEY"};

Call version_call() {
  return {"/api/version", "", true};
}

Result<ollama::Model> model_of(Client& client, const std::string& name, std::size_t endpoint) {
  const Call call{"/api/show", ollama::show_body(name), true};
  const Reply reply = client.ask(call, endpoint);
  const std::string url = url_of(client.endpoints()[endpoint], call);
  const Judged judged = judge(reply, client.limits());
  if (is_down(reply) || refuses_key(reply))
    return tl::unexpected(start_error(url, reply, client.limits(), kSought));
  if (judged.kind != Judged::Kind::good)  // the server answers, so it is the name
    return base::input_error(
        fmt::format("--model ollama:{}: {}: {}; wanted a model that `ollama list` shows", name, url,
                    judged.reason));
  TARE_TRY(const Value shown, base::json::parse(reply.body));
  return ollama::read_model(shown);
}

Result<Served> served_by(Client& client, const std::string& name, std::size_t endpoint) {
  Served served;
  TARE_TRY(const Value version, first_answer(client, version_call(), endpoint, kSought));
  TARE_TRY(served.version, ollama::read_version(version));
  TARE_TRY(served.model, model_of(client, name, endpoint));
  TARE_TRY(const Value tags, client.ask_json({"/api/tags", "", true}, endpoint));
  served.digest = ollama::digest_of(tags, name);
  return served;
}

Result<Served> common_served(Client& client, const std::string& name) {
  client.await_start(version_call(), client.endpoints().size());
  TARE_TRY(Served first, served_by(client, name, 0));
  for (std::size_t i = 1; i < client.endpoints().size(); ++i) {
    TARE_TRY(const Served other, served_by(client, name, i));
    if (other.version != first.version || other.digest != first.digest)
      return base::input_error(
          fmt::format("--model: servers differ: {} is {} with {}:{:.12}, {} is {} with {}:{:.12}; "
                      "wanted the same on all",
                      client.endpoints()[0], first.version, name, first.digest,
                      client.endpoints()[i], other.version, name, other.digest));
  }
  return first;
}

std::vector<core::Warning> chat_warnings(const OllamaOptions& options, const ollama::Model& model) {
  std::vector<core::Warning> warnings;
  const PromptFault fault = ollama::fault_in_template(model.chat_template);
  if (fault != PromptFault::none)
    warnings.push_back({"chat-prompt", fmt::format("{}: the template of {} on the server",
                                                   name_of(fault), options.model)});
  if (!model.system.empty())
    warnings.push_back(
        {"model-system-message",
         fmt::format("{} brings a system message; it stands before conversations that have none",
                     options.model)});
  return warnings;
}

}  // namespace

Result<Opened> open_ollama(const OllamaOptions& options) {
  return open_ollama(options, std::make_shared<Client>(options.servers));
}

Result<Opened> open_ollama(const OllamaOptions& options, std::shared_ptr<Client> client) {
  TARE_TRY(Served served, common_served(*client, options.model));
  const std::size_t known = served.model.context_length;
  if (known > 0 && options.num_ctx > known)
    return base::usage_error(fmt::format(
        "--model: num_ctx={}: {} knows {} tokens, and the server would lower it without "
        "a word; wanted {} or fewer",
        options.num_ctx, options.model, known, known));
  std::vector<core::Warning> warnings;
  if (options.chat) warnings = chat_warnings(options, served.model);
  const std::size_t concurrency =
      options.own_concurrency ? options.servers.limits.concurrency : std::size_t{1};
  client->limit_concurrency(concurrency);
  auto dialect = std::make_shared<OllamaDialect>(options, std::move(served), concurrency);
  auto backend = make_backend(std::move(client), dialect);
  return Opened{std::make_unique<OllamaBackend>(std::move(backend), std::move(dialect)),
                std::move(warnings)};
}

}  // namespace tare::backend::http
