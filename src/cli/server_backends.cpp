#include "cli/server_backends.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>

#include "backend/http/ollama.h"
#include "base/nearest.h"
#include "cli/chat.h"
#include "cli/transport_arguments.h"

namespace tare::cli {
namespace {

namespace http = backend::http;
using base::Result;
using base::Status;
using base::usage_error;

constexpr std::string_view kLlamaServer = "llama-server";
constexpr std::string_view kOllama = "ollama";
constexpr std::string_view kOllamaPort = ":11434";

template <class Options>
using Setters =
    std::map<std::string, std::function<Status(Options&, std::string_view)>, std::less<>>;

Status read_chat(std::string_view text, std::string_view other, bool& chat) {
  if (text != other && text != "chat")
    return usage_error(fmt::format("--model: endpoint={}: wanted {} or chat", text, other));
  chat = text == "chat";
  return {};
}

Status read_switch(std::string_view name, std::string_view text, bool& on) {
  if (text != "yes" && text != "no")
    return usage_error(fmt::format("--model: {}={}: wanted yes or no", name, text));
  on = text == "yes";
  return {};
}

Status read_slot(std::string_view text, std::optional<std::int64_t>& slot) {
  std::int64_t number = 0;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || rest != text.data() + text.size() || number < 0)
    return usage_error(fmt::format("--model: slot={}: wanted a number from 0 on", text));
  slot = number;
  return {};
}

const Setters<http::LlamaServerOptions>& llama_server_setters() {
  using Options = http::LlamaServerOptions;
  static const Setters<Options> setters{
      {"endpoint",
       [](Options& o, std::string_view v) { return read_chat(v, "completion", o.chat); }},
      {"cache_prompt",
       [](Options& o, std::string_view v) {
         return read_switch("cache_prompt", v, o.manner.cache_prompt);
       }},
      {"slot", [](Options& o, std::string_view v) { return read_slot(v, o.manner.slot); }},
  };
  return setters;
}

const Setters<http::OllamaOptions>& ollama_setters() {
  using Options = http::OllamaOptions;
  static const Setters<Options> setters{
      {"endpoint", [](Options& o, std::string_view v) { return read_chat(v, "generate", o.chat); }},
      {"num_ctx",
       [](Options& o, std::string_view v) { return read_positive("num_ctx", v, o.num_ctx); }},
      {"url",
       [](Options& o, std::string_view v) -> Status {
         TARE_TRY(o.servers.endpoints, http::parse_endpoints(v));
         return {};
       }},
  };
  return setters;
}

/// Arguments that are read elsewhere: they shape prompts and how answers are read.
bool is_of_others(std::string_view name) {
  return is_chat_argument(name) || name == "think_end_token";
}

template <class Options>
Status set_arguments(const ModelSpec& model, const Setters<Options>& setters, Options& options) {
  for (const auto& [name, value] : model.arguments) {
    const auto setter = setters.find(name);
    if (setter != setters.end()) {
      TARE_CHECK(setter->second(options, value));
    } else if (is_transport_name(name)) {
      TARE_CHECK(set_transport(options.servers, name, value));
      options.own_concurrency = options.own_concurrency || name == "num_concurrent";
    } else if (!is_of_others(name)) {
      std::vector<std::string> names = transport_names();
      for (const auto& entry : setters) names.push_back(entry.first);
      std::ranges::sort(names);
      return usage_error(fmt::format("--model: unknown argument '{}'; {}: takes {}", name,
                                     model.scheme, base::join_or(names)));
    }
  }
  return {};
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

Result<http::LlamaServerOptions> llama_server_options(const ModelSpec& model) {
  http::LlamaServerOptions options;
  TARE_TRY(options.servers.endpoints, http::parse_endpoints(model.name));
  TARE_CHECK(set_arguments(model, llama_server_setters(), options));
  options.servers.key = environment("LLAMA_API_KEY");
  return options;
}

/// OLLAMA_HOST as Ollama itself reads it: scheme and port may be missing.
std::string ollama_url() {
  std::string host = environment("OLLAMA_HOST");
  if (host.empty()) host = "127.0.0.1";
  if (host.find("://") != std::string::npos) return host;
  if (host.find(':') == std::string::npos) host += kOllamaPort;
  return "http://" + host;
}

Result<http::OllamaOptions> ollama_options(const ModelSpec& model) {
  http::OllamaOptions options;
  options.model = model.name;
  TARE_CHECK(set_arguments(model, ollama_setters(), options));
  if (options.servers.endpoints.empty()) {
    auto endpoints = http::parse_endpoints(ollama_url());
    if (!endpoints) return base::in_context("OLLAMA_HOST", endpoints.error());
    options.servers.endpoints = std::move(*endpoints);
  }
  options.servers.key = environment("OLLAMA_API_KEY");
  return options;
}

}  // namespace

bool is_server_scheme(std::string_view scheme) {
  return scheme == kLlamaServer || scheme == kOllama;
}

Status check_server(const ModelSpec& model) {
  if (model.scheme == kOllama) {
    TARE_CHECK(ollama_options(model));
  } else {
    TARE_CHECK(llama_server_options(model));
  }
  return {};
}

Result<OpenedBackend> open_server(const ModelSpec& model) {
  http::Opened opened;
  if (model.scheme == kOllama) {
    TARE_TRY(const http::OllamaOptions options, ollama_options(model));
    TARE_TRY(opened, http::open_ollama(options));
  } else {
    TARE_TRY(const http::LlamaServerOptions options, llama_server_options(model));
    TARE_TRY(opened, http::open_llama_server(options));
  }
  return OpenedBackend{std::move(opened.backend), std::move(opened.warnings)};
}

void name_from_record(const ModelSpec& model, backend::Identity& identity) {
  const base::Value* told = identity.settings.find("model");
  identity.model_path = told != nullptr && told->is_string() ? told->as_string() : model.name;
  identity.model_name = model.scheme == kOllama
                            ? model.name
                            : std::filesystem::path(identity.model_path).stem().string();
}

Result<http::ServerChat> served_template(const ModelSpec& model) {
  TARE_TRY(const http::LlamaServerOptions options, llama_server_options(model));
  TARE_TRY(http::ServerChat chat, http::read_llama_server_chat(options.servers));
  if (chat.text.empty())
    return base::input_error(fmt::format("{}: the server has no chat template", model.name));
  return chat;
}

}  // namespace tare::cli
