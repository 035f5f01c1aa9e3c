#include "cli/http_backends.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>

#include "backend/http/openai.h"
#include "base/nearest.h"
#include "base/python.h"
#include "base/unicode.h"
#include "cli/server_backends.h"
#include "cli/transport_arguments.h"

namespace tare::cli {
namespace {

namespace http = backend::http;
using base::Result;
using base::Status;
using base::usage_error;
using base::Value;

constexpr std::string_view kCompletions = "/completions";
constexpr std::string_view kChat = "/chat/completions";

Status read_truth(std::string_view name, std::string_view text, bool& on) {
  const std::string word = base::unicode::lower(text);
  on = word == "true" || word == "yes" || word == "1";
  if (on || word == "false" || word == "no" || word == "0") return {};
  return usage_error(fmt::format("--model: {}={}: wanted true or false", name, text));
}

Status read_endpoint(std::string_view text, bool& chat) {
  if (text != "completions" && text != "chat")
    return usage_error(fmt::format("--model: endpoint={}: wanted completions or chat", text));
  chat = text == "chat";
  return {};
}

/// A tokenizer that lives elsewhere is of no use here.
Status ignore(http::OpenAiOptions&, std::string_view) {
  return {};
}

using Setter = std::function<Status(http::OpenAiOptions&, std::string_view)>;

/// What may stand after the URL in openai:URL,k=v; lm-eval's names where it has one.
const std::map<std::string, Setter, std::less<>>& openai_arguments() {
  using Options = http::OpenAiOptions;
  static const auto model = [](Options& o, std::string_view v) {
    o.model = v;
    return Status();
  };
  static const std::map<std::string, Setter, std::less<>> arguments{
      {"model", model},
      {"pretrained", model},
      {"endpoint", [](Options& o, std::string_view v) { return read_endpoint(v, o.chat); }},
      {"tokenized_requests",
       [](Options& o, std::string_view v) {
         return read_truth("tokenized_requests", v, o.token_ids);
       }},
      {"tokenizer", ignore},
      {"tokenizer_backend", ignore},
      {"think_end_token", ignore},  // it shapes how answers are read: see RunOptions
      {"length_name",
       [](Options& o, std::string_view v) {
         o.length_name = v;
         return Status();
       }},
      {"max_length",
       [](Options& o, std::string_view v) {
         return read_positive("max_length", v, o.context_length);
       }},
      {"max_stops",
       [](Options& o, std::string_view v) { return read_positive("max_stops", v, o.most_stops); }},
  };
  return arguments;
}

Status set_argument(http::OpenAiOptions& options, const std::string& name,
                    const std::string& value) {
  const auto known = openai_arguments().find(name);
  if (known != openai_arguments().end()) return known->second(options, value);
  if (is_transport_name(name)) return set_transport(options.servers, name, value);
  std::vector<std::string> names = transport_names();
  for (const auto& entry : openai_arguments()) names.push_back(entry.first);
  std::ranges::sort(names);
  return usage_error(
      fmt::format("--model: unknown argument '{}'; openai: takes {}", name, base::join_or(names)));
}

/// The path of an operation at the end of a URL, as lm-eval wants it, says what is asked there.
bool take_suffix(std::string& url, std::string_view suffix) {
  if (!url.ends_with(suffix)) return false;
  url.resize(url.size() - suffix.size());
  return true;
}

Result<http::OpenAiOptions> openai_options(const ModelSpec& model) {
  http::OpenAiOptions options;
  TARE_TRY(options.servers.endpoints, http::parse_endpoints(model.name));
  for (std::string& url : options.servers.endpoints) {
    const bool chat = take_suffix(url, kChat);
    options.chat = options.chat || chat;
    if (!chat) take_suffix(url, kCompletions);
  }
  for (const auto& [name, value] : model.arguments) TARE_CHECK(set_argument(options, name, value));
  // Programs that were turned away together must not come back together.
  options.servers.limits.jitter_seed = std::random_device()();
  if (const char* key = std::getenv("OPENAI_API_KEY")) options.servers.key = key;
  return options;
}

/// lm-eval's names, with what each one means.
struct NamedServer {
  std::string_view name;
  std::string_view url;  ///< "": it must be given
  bool chat = false;
};

constexpr std::array kNamed{
    NamedServer{"local-completions", "", false},
    NamedServer{"local-chat-completions", "", true},
    NamedServer{"openai-completions", "https://api.openai.com/v1", false},
    NamedServer{"openai-chat-completions", "https://api.openai.com/v1", true},
};

}  // namespace

bool is_http_scheme(std::string_view scheme) {
  return scheme == "openai" || is_server_scheme(scheme);
}

Status check_http(const ModelSpec& model) {
  if (is_server_scheme(model.scheme)) return check_server(model);
  TARE_CHECK(openai_options(model));
  return {};
}

Result<OpenedBackend> open_http(const ModelSpec& model) {
  if (is_server_scheme(model.scheme)) return open_server(model);
  TARE_TRY(http::OpenAiOptions options, openai_options(model));
  TARE_TRY(http::Opened opened, http::open_openai(std::move(options)));
  return OpenedBackend{std::move(opened.backend), std::move(opened.warnings)};
}

void name_served(const ModelSpec& model, backend::Identity& identity) {
  if (is_server_scheme(model.scheme)) return name_from_record(model, identity);
  if (const auto options = openai_options(model))
    identity.model_path = options->servers.endpoints.front();
  if (const Value* name = identity.settings.find("model"); name != nullptr && name->is_string())
    identity.model_name = name->as_string();
}

std::optional<Result<ModelSpec>> named_server(const std::string& text, const Value& arguments) {
  const auto* named = std::ranges::find(kNamed, text, &NamedServer::name);
  if (named == kNamed.end()) return std::nullopt;
  const Value* url = arguments.find("base_url");
  ModelSpec spec{
      "", "openai", url != nullptr ? base::python::str(*url) : std::string(named->url), {}};
  if (spec.name.empty())
    return usage_error(fmt::format(
        "--model {}: no server named; wanted --model_args base_url=http://HOST:PORT/v1/...", text));
  if (named->chat) spec.arguments.emplace_back("endpoint", "chat");
  // OpenAI's chat models know no other name.
  if (named->chat && !named->url.empty())
    spec.arguments.emplace_back("length_name", "max_completion_tokens");
  return spec;
}

}  // namespace tare::cli
