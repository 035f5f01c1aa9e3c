#include "cli/worker_backends.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>

#include "backend/python/environment.h"
#include "backend/python/weights_hash.h"
#include "base/nearest.h"
#include "cli/cache_dir.h"
#include "cli/chat.h"
#include "cli/tell.h"

namespace tare::cli {
namespace {

namespace python = backend::python;
using base::Result;
using base::usage_error;

constexpr std::array<std::string_view, 3> kDtypes{"float32", "float16", "bfloat16"};
constexpr std::string_view kDefaultInterpreter = "python3";

base::Status read_count(std::string_view name, std::string_view text, std::size_t& count) {
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, count);
  if (fault == std::errc() && rest == end && count > 0) return {};
  return usage_error(fmt::format("--model: {}={}: wanted a whole number from 1 on", name, text));
}

base::Status read_dtype(std::string_view text, std::string& dtype) {
  if (std::ranges::find(kDtypes, text) == kDtypes.end())
    return usage_error(fmt::format("--model: dtype={}: wanted {}", text, fmt::join(kDtypes, ", ")));
  dtype = text;
  return {};
}

base::Status read_limit(std::string_view text, std::chrono::seconds& limit) {
  std::size_t seconds = 0;
  TARE_CHECK(read_count("timeout", text, seconds));
  limit = std::chrono::seconds(seconds);
  return {};
}

base::Status check_device(std::string_view text) {
  if (text == "cpu") return {};
  return usage_error(fmt::format("--model: device={}: wanted cpu, where these models run", text));
}

using Setter = std::function<base::Status(python::Options&, std::string_view)>;

/// What may stand after the path in hf:PATH,k=v: name to setter.
const std::map<std::string, Setter, std::less<>>& worker_arguments() {
  using python::Options;
  using std::string_view;
  static const std::map<std::string, Setter, std::less<>> kArguments{
      {"batch", [](Options& o, string_view v) { return read_count("batch", v, o.batch); }},
      {"device", [](Options&, string_view v) { return check_device(v); }},
      {"dtype", [](Options& o, string_view v) { return read_dtype(v, o.dtype); }},
      {"max_length",
       [](Options& o, string_view v) { return read_count("max_length", v, o.context_length); }},
      {"python",
       [](Options& o, string_view v) {
         o.interpreter = v;
         return base::Status();
       }},
      {"timeout", [](Options& o, string_view v) { return read_limit(v, o.item_limit); }},
      // It shapes how answers are read, not how they are computed: see RunOptions.
      {"think_end_token", [](Options&, string_view) { return base::Status(); }},
  };
  return kArguments;
}

base::Error unknown_argument(const std::string& scheme, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, setter] : worker_arguments()) names.push_back(known);
  return {base::ErrorKind::usage, fmt::format("--model: unknown argument '{}'; {}: takes {}", name,
                                              scheme, base::join_or(names))};
}

/// The one that tare made for this engine.
Result<std::filesystem::path> made_interpreter(const std::string& scheme) {
  const std::string name = python::environment_of(scheme);
  const python::Environment environment = python::find_environment(name, cache_dir());
  if (environment.complete) return environment.interpreter();
  return base::input_error(fmt::format(
      "--model {}: there is no Python environment {} in {}; run: tare doctor --install {}, or name "
      "an interpreter that has the libraries with --python PATH",
      scheme, name, environment.folder.parent_path().string(), name));
}

}  // namespace

bool is_worker_scheme(std::string_view scheme) {
  return python::is_engine(std::string(scheme));
}

Result<python::Options> worker_options(const RunOptions& options) {
  python::Options result;
  result.engine = options.model.scheme;
  result.path = options.model.name;
  result.cache = cache_dir();
  result.threads = options.threads;
  if (options.batch != 0) result.batch = options.batch;
  if (options.python != kDefaultInterpreter) result.interpreter = options.python;
  result.warn = [](const std::string& text) { tell("tare: warning: {}\n", text); };
  for (const auto& [name, value] : options.model.arguments) {
    if (is_chat_argument(name)) continue;
    const auto setter = worker_arguments().find(name);
    if (setter == worker_arguments().end())
      return tl::unexpected(unknown_argument(result.engine, name));
    TARE_CHECK(setter->second(result, value));
  }
  if (result.interpreter.empty()) {
    TARE_TRY(result.interpreter, made_interpreter(result.engine));
  }
  return result;
}

base::Status check_worker_model(const RunOptions& options) {
  TARE_CHECK(python::check_weights(options.model.name));
  TARE_CHECK(worker_options(options));
  return {};
}

Result<OpenedBackend> open_worker_backend(const RunOptions& options) {
  TARE_TRY(const python::Options settings, worker_options(options));
  TARE_TRY(auto opened, python::open(settings));
  return OpenedBackend{std::move(opened), {}};
}

}  // namespace tare::cli
