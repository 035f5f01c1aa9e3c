#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "backend/http/judge.h"
#include "backend/http/openai_dialect.h"

namespace tare::backend::http {
namespace {

using base::Result;
using base::Value;

// What the server is tried on: a few tokens before and behind the place where scoring begins.
constexpr std::string_view kContext = "The capital of France is";
constexpr std::string_view kContinuation = " Paris, and the capital of Italy is Rome.";

std::string text_at(const Value& dict, std::string_view key) {
  const Value* found = dict.find(key);
  return found != nullptr && found->is_string() ? found->as_string() : "";
}

/// A model as the server lists it.
struct Listed {
  std::string id;
  std::size_t context_length = 0;  ///< vLLM tells it; else 0
};

std::vector<Listed> read_models(const Value& answer) {
  std::vector<Listed> models;
  const Value* list = answer.find("data");
  if (list == nullptr || !list->is_list()) return models;
  for (const Value& entry : list->items()) {
    const Value* length = entry.find("max_model_len");
    const bool told = length != nullptr && length->is_int() && length->as_int() > 0;
    models.push_back({text_at(entry, "id"), told ? static_cast<std::size_t>(length->as_int()) : 0});
  }
  return models;
}

base::Error no_such_model(const std::string& url, const std::string& wanted,
                          const std::vector<Listed>& models) {
  std::string names;
  for (const Listed& model : models) names += (names.empty() ? "" : ", ") + model.id;
  return {base::ErrorKind::input,
          fmt::format("{}: lists no model {}; it has {}", url, wanted.empty() ? "at all" : wanted,
                      names.empty() ? "none" : names)};
}

/// Opens one kind of server, step by step.
class Opening {
 public:
  explicit Opening(OpenAiOptions options)
      : options_(std::move(options)), client_(std::make_shared<Client>(options_.servers)) {}

  Result<Opened> open() {
    TARE_CHECK(find_model());
    find_software();
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
    std::optional<base::Error> last;
    bool found = false;
    for (std::size_t i = 0; i < client_->endpoints().size(); ++i) {
      const Reply reply = client_->ask({"/models", ""}, i);
      const Judged judged = judge(reply, options_.servers.limits);
      if (reply.end != Reply::End::answered || judged.kind == Judged::Kind::again) {
        last = base::Error{base::ErrorKind::failed, fmt::format("{}: {}", url(i), judged.reason)};
        continue;
      }
      TARE_CHECK(take_models(reply, judged, i, found));
      if (!found) first_ = i;
      found = true;
    }
    if (!found) return tl::unexpected(*last);
    if (last)
      warnings_.push_back(
          {"endpoint-down", "not there at the start, asked again later: " + last->text});
    return {};
  }

  base::Status take_models(const Reply& reply, const Judged& judged, std::size_t endpoint,
                           bool known) {
    if (reply.status == 401 || reply.status == 403)
      return base::input_error(fmt::format(
          "{}: {}; wanted a key that it takes, in the environment variable OPENAI_API_KEY",
          url(endpoint), judged.reason));
    // A server without a list is one that the user must name the model to.
    if (judged.kind != Judged::Kind::good && !options_.model.empty()) {
      server_.model = options_.model;
      if (!known) server_.header = reply.server;
      return {};
    }
    if (judged.kind != Judged::Kind::good)
      return base::input_error(
          fmt::format("{}/models: {}; name the model (model=NAME)", url(endpoint), judged.reason));
    auto answer = parse_object(reply.body);
    const std::vector<Listed> models = answer ? read_models(*answer) : std::vector<Listed>();
    const std::string wanted = known ? server_.model : options_.model;
    const auto listed =
        wanted.empty() ? models.begin() : std::ranges::find(models, wanted, &Listed::id);
    if (listed == models.end() || listed->id.empty())
      return tl::unexpected(no_such_model(url(endpoint), wanted, models));
    if (known) return {};
    server_.model = listed->id;
    server_.context_length = listed->context_length;
    server_.header = reply.server;
    return {};
  }

  /// Servers that tell what they are, each in its own way.
  void find_software() {
    if (const auto answer = client_->ask_json({"/version", "", true}, first_)) {
      if (const std::string version = text_at(*answer, "version"); !version.empty()) {
        server_.software = "vLLM " + version;
        api_ = vllm_tokenize(server_.model);
        return;
      }
    }
    if (const auto answer = client_->ask_json({"/props", "", true}, first_)) {
      if (const std::string build = text_at(*answer, "build_info"); !build.empty()) {
        server_.software = "llama-server " + build;
        api_ = llama_tokenize();
      }
    }
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
    const Judged judged = judge(reply, options_.servers.limits);
    if (judged.kind == Judged::Kind::elsewhere)
      return base::work_failed(fmt::format("{}: {}", url(first_), judged.reason));
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
  std::size_t first_ = 0;  ///< the endpoint that is asked about what all have
  std::vector<core::Warning> warnings_;
};

}  // namespace

Result<Opened> open_openai(OpenAiOptions options) {
  return Opening(std::move(options)).open();
}

}  // namespace tare::backend::http
