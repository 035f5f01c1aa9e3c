#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "backend/http/fields.h"
#include "backend/http/first_answer.h"
#include "backend/http/judge.h"
#include "backend/http/openai_dialect.h"
#include "backend/http/openai_place.h"

namespace tare::backend::http {
namespace {

using base::Result;
using base::Value;

// What the server is tried on: a few tokens before and behind the place where scoring begins.
constexpr std::string_view kContext = "The capital of France is";
constexpr std::string_view kContinuation = " Paris, and the capital of Italy is Rome.";

Call models_call() {
  return {"/models", ""};
}

base::Error no_such_model(const std::string& url, const std::string& wanted,
                          const std::vector<Listed>& models) {
  std::string names;
  for (const Listed& model : models) names += (names.empty() ? "" : ", ") + model.id;
  return {base::ErrorKind::input,
          fmt::format("{}: lists no model {}; it has {}", url, wanted.empty() ? "at all" : wanted,
                      names.empty() ? "none" : names)};
}

/// What /props of a llama-server says beyond its build.
void take_settings(const Value& props, OpenAiServer& server) {
  const Value settings = dict_at(props, "default_generation_settings");
  if (const Value* defaults = settings.find("params"); defaults != nullptr && defaults->is_dict())
    server.defaults = *defaults;
  const std::int64_t context = integer_at(settings, "n_ctx").value_or(0);
  if (server.context_length == 0 && context > 0)
    server.context_length = static_cast<std::size_t>(context);
}

/// Opens one kind of server, step by step.
class Opening {
 public:
  Opening(OpenAiOptions options, std::shared_ptr<Client> client)
      : options_(std::move(options)), client_(std::move(client)) {}

  Result<Opened> open() {
    TARE_CHECK(find_model());
    find_software();
    for (const std::size_t endpoint : unsure_) TARE_CHECK(try_place(endpoint));
    if (!options_.chat) {
      if (options_.token_ids) find_tokenizer();
      TARE_CHECK(find_scoring());
    }
    auto dialect = std::make_shared<OpenAiDialect>(options_, std::move(server_));
    return Opened{make_backend(client_, std::move(dialect)), std::move(warnings_)};
  }

 private:
  [[nodiscard]] const std::string& url(std::size_t endpoint) const {
    return client_->endpoints()[endpoint];
  }

  /// The model of the first endpoint that answers; the others must have it too.
  base::Status find_model() {
    client_->await_start(models_call(), 1);
    std::optional<base::Error> error;
    std::string down;
    bool found = false;
    for (std::size_t i = 0; i < client_->endpoints().size(); ++i) {
      const Reply reply = client_->ask(models_call(), i);
      if (is_down(reply)) {
        error = start_error(url(i), reply, client_->limits(), kOpenAi);
        down = fmt::format("{}: {}", url(i), judge(reply, client_->limits()).reason);
        continue;
      }
      TARE_CHECK(take_models(reply, i, found));
      if (!found) first_ = i;
      found = true;
    }
    if (!found) return tl::unexpected(*error);
    if (error)
      warnings_.push_back({"endpoint-down", "not there at the start, asked again later: " + down});
    return {};
  }

  base::Status take_models(const Reply& reply, std::size_t endpoint, bool known) {
    if (reply.end != Reply::End::answered || refuses_key(reply))
      return tl::unexpected(start_error(url(endpoint), reply, client_->limits(), kOpenAi));
    if (!known) server_.header = reply.server;
    const Judged judged = judge(reply, client_->limits());
    const bool good = judged.kind == Judged::Kind::good;
    const auto models = good ? read_models(reply.body) : std::vector<Listed>();
    // Behind /v1 a list of models is proof enough, and no text need be asked for.
    if (models.empty() || !url(endpoint).ends_with("/v1")) unsure_.push_back(endpoint);
    if (!models.empty()) return take_listed(models, endpoint, known);
    // A server without a list is one that the user must name the model to.
    if (options_.model.empty())
      return tl::unexpected(no_interface(*client_, endpoint, models_call(),
                                         good ? "no models in the answer" : judged.reason));
    server_.model = options_.model;
    return {};
  }

  base::Status take_listed(const std::vector<Listed>& models, std::size_t endpoint, bool known) {
    const std::string wanted = known ? server_.model : options_.model;
    const auto listed =
        wanted.empty() ? models.begin() : std::ranges::find(models, wanted, &Listed::id);
    if (listed == models.end() || listed->id.empty())
      return tl::unexpected(no_such_model(url(endpoint), wanted, models));
    if (known) return {};
    server_.model = listed->id;
    server_.context_length = listed->context_length;
    return {};
  }

  /// Servers that tell what they are, each in its own way.
  void find_software() {
    if (const auto answer = client_->ask_json({"/version", "", true}, first_)) {
      if (const std::string version = text_at(*answer, "version").value_or(""); !version.empty()) {
        server_.software = "vLLM " + version;
        api_ = vllm_tokenize(server_.model);
        return;
      }
    }
    if (const auto answer = client_->ask_json({"/props", "", true}, first_)) {
      if (const std::string build = text_at(*answer, "build_info").value_or(""); !build.empty()) {
        server_.software = "llama-server " + build;
        take_settings(*answer, server_);
        api_ = llama_tokenize();
      }
    }
  }

  base::Status try_place(std::size_t endpoint) {
    core::GenerationSettings settings;
    settings.parameters = core::GenerationParameters::given_length;
    settings.max_tokens = 1;
    const OpenAiDialect dialect(options_, server_);
    const GenerateItem item{0, dialect.tokenizer().encode(kContext, true), &settings, 0};
    return check_place(*client_, endpoint, dialect.generate_call(item));
  }

  void find_tokenizer() {
    if (!api_) return;
    if (auto tokenizer = RemoteTokenizer::open(client_, *api_)) server_.tokenizer = *tokenizer;
  }

  /// Tries each way on a short text: a way counts if the answer can be read and adds up.
  base::Status find_scoring() {
    std::string why;
    for (const ScoreMethod method :
         {ScoreMethod::echo, ScoreMethod::echo_and_one, ScoreMethod::prompt_scores}) {
      TARE_TRY(const std::string fault, try_scoring(method));
      if (fault.empty()) return {};
      why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", name_of(method), fault);
    }
    TARE_CHECK(try_place(first_));
    warnings_.push_back(
        {"no-scoring",
         fmt::format("{} gives no log-probabilities of given text ({})", server_.model, why)});
    return {};
  }

  /// Why it is no way to log-probabilities here; "" if it is one, which is then taken.
  Result<std::string> try_scoring(ScoreMethod method) {
    OpenAiServer tried = server_;
    tried.scoring = method;
    const OpenAiDialect dialect(options_, tried);
    const ScoreItem item = trial(dialect.tokenizer());
    const Reply reply = client_->ask(dialect.score_call(item, 0), first_);
    const Judged judged = judge(reply, client_->limits());
    if (judged.kind == Judged::Kind::elsewhere)
      return tl::unexpected(start_error(url(first_), reply, client_->limits(), kOpenAi));
    if (judged.kind != Judged::Kind::good) return judged.reason;
    const auto text = dialect.read_text(item, reply.body);
    if (!text) return text.error().reason;
    const auto sum = sum_from(text->tokens, text->first);
    if (!sum) return sum.error().reason;
    server_.scoring = method;
    server_.greedy = tells_greedy(text->tokens, text->first);
    return std::string();
  }

  [[nodiscard]] static ScoreItem trial(const core::Tokenizer& tokenizer) {
    ScoreItem item;
    item.tokens = tokenizer.encode(kContext, true);
    item.first_scored = item.tokens.size();
    const std::vector<core::Token> rest = tokenizer.encode(kContinuation, false);
    item.tokens.insert(item.tokens.end(), rest.begin(), rest.end());
    return item;
  }

  OpenAiOptions options_;
  std::shared_ptr<Client> client_;
  OpenAiServer server_;
  std::optional<TokenizeApi> api_;
  std::size_t first_ = 0;            ///< the endpoint that is asked about what all have
  std::vector<std::size_t> unsure_;  ///< endpoints that may not have this interface
  std::vector<core::Warning> warnings_;
};

}  // namespace

Result<Opened> open_openai(OpenAiOptions options) {
  auto client = std::make_shared<Client>(options.servers);
  return open_openai(std::move(options), std::move(client));
}

Result<Opened> open_openai(OpenAiOptions options, std::shared_ptr<Client> client) {
  return Opening(std::move(options), std::move(client)).open();
}

}  // namespace tare::backend::http
