#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

#include "backend/llama/llama_backend.h"
#include "backend/llama/manner_backend.h"
#include "backend/scripted/scripted_backend.h"
#include "base/nearest.h"
#include "cli/cache_dir.h"
#include "cli/http_backends.h"
#include "cli/install_paths.h"
#include "cli/llama_options.h"
#include "cli/pin_options.h"
#include "cli/prepare.h"
#include "cli/worker_backends.h"

namespace tare::cli {
namespace {

namespace llama = backend::llama;
using base::Result;
using base::usage_error;

template <class Number>
base::Status read_number(std::string_view name, std::string_view text, Number& number) {
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault == std::errc() && rest == text.data() + text.size()) return {};
  return usage_error(fmt::format("--model: {}={}: wanted a whole number", name, text));
}

base::Status read_kv(std::string_view text, llama::KvFormat& format) {
  if (text != "f32" && text != "f16")
    return usage_error(fmt::format("--model: kv={}: wanted f32 or f16", text));
  format = text == "f32" ? llama::KvFormat::f32 : llama::KvFormat::f16;
  return {};
}

base::Status read_switch(std::string_view name, std::string_view text, bool& on) {
  if (text != "yes" && text != "no")
    return usage_error(fmt::format("--model: {}={}: wanted yes or no", name, text));
  on = text == "yes";
  return {};
}

using Setter = std::function<base::Status(llama::Options&, std::string_view)>;

/// What may stand after the path in gguf:PATH,k=v: name to setter.
const std::map<std::string, Setter, std::less<>>& gguf_arguments() {
  static const std::map<std::string, Setter, std::less<>> arguments{
      {"max_length",
       [](llama::Options& o, std::string_view v) {
         return read_number("max_length", v, o.context_length);
       }},
      {"gpu_layers", [](llama::Options& o,
                        std::string_view v) { return read_number("gpu_layers", v, o.gpu_layers); }},
      {"kv", [](llama::Options& o, std::string_view v) { return read_kv(v, o.kv); }},
      {"share", [](llama::Options& o,
                   std::string_view v) { return read_switch("share", v, o.share_prefixes); }},
      // It shapes how answers are read, not how they are computed: see RunOptions.
      {"think_end_token", [](llama::Options&, std::string_view) { return base::Status(); }},
  };
  return arguments;
}

base::Error unknown_argument(const std::string& name) {
  return {base::ErrorKind::usage, fmt::format("--model: unknown argument '{}'; gguf: takes {}",
                                              name, base::join_or(gguf_argument_names()))};
}

}  // namespace

std::vector<std::string> gguf_argument_names() {
  std::vector<std::string> names;
  for (const auto& [name, setter] : gguf_arguments()) names.push_back(name);
  return names;
}

Result<llama::Options> llama_options(const RunOptions& options) {
  llama::Options result;
  result.path = options.model.name;
  result.sha256 = options.model.sha256;
  result.threads = options.threads;
  result.cpu_tier = options.cpu_tier;
  if (options.batch != 0) result.streams = std::min(options.batch, llama::kMostStreams);
  result.mode = options.fast ? llama::Mode::fast : llama::Mode::pinned;
  result.thorough_probe = options.thorough_probe;
  result.prober = program();
  result.cache = cache_dir();
  for (const auto& [name, value] : options.model.arguments) {
    if (is_chat_argument(name)) continue;
    const auto setter = gguf_arguments().find(name);
    if (setter == gguf_arguments().end()) return tl::unexpected(unknown_argument(name));
    TARE_CHECK(setter->second(result, value));
  }
  if (options.pin) pin_backend(options.pin->pin, result);
  return result;
}

base::Status check_model(const RunOptions& options) {
  if (is_worker_scheme(options.model.scheme)) return check_worker_model(options);
  if (is_http_scheme(options.model.scheme)) return check_http(options.model);
  if (options.model.scheme != "gguf") return {};
  TARE_CHECK(llama_options(options));
  TARE_CHECK(check_pinned_tier(options));
  return llama::check_gguf(options.model.name);
}

Result<OpenedBackend> open_backend(const RunOptions& options) {
  if (options.model.scheme == "scripted") {
    TARE_TRY(auto scripted, backend::scripted::open(options.model.name));
    return OpenedBackend{std::move(scripted), {}};
  }
  if (is_worker_scheme(options.model.scheme)) return open_worker_backend(options);
  if (is_http_scheme(options.model.scheme)) return open_http(options.model);
  TARE_TRY(const llama::Options settings, llama_options(options));
  if (options.manner) {
    TARE_TRY(auto opened, llama::open_in_manner(settings.path, settings.sha256, *options.manner));
    return OpenedBackend{std::move(opened), {}};
  }
  TARE_TRY(auto opened, llama::open(settings));
  std::vector<core::Warning> warnings = opened->warnings();
  return OpenedBackend{std::move(opened), std::move(warnings)};
}

}  // namespace tare::cli
