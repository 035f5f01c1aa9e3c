#include "cli/model_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "backend/http/options.h"
#include "base/nearest.h"
#include "base/python.h"
#include "base/unicode.h"
#include "cli/arguments.h"
#include "cli/http_backends.h"
#include "cli/known_backends.h"
#include "cli/lm_eval_models.h"

namespace tare::cli {
namespace {

using base::Result;
using base::usage_error;
using base::Value;

/// lm-eval's names of backends that read weights, and the schemes that answer for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNamed{
    {{"gguf", "gguf"},
     {"ggml", "gguf"},
     {"hf", "hf"},
     {"huggingface", "hf"},
     {"hf-auto", "hf"},
     {"vllm", "vllm"}}};
/// lm-eval's names for what holds the weights.
constexpr std::array<const char*, 3> kPathArguments{"pretrained", "model", "path"};

bool contains(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool starts_with_argument(std::string_view text) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto is_of_name = [&](char c) { return letter(c) || c == '_' || c == '-' || c == '.'; };
  const auto end = std::ranges::find_if_not(text, is_of_name);
  return end != text.begin() && end != text.end() && *end == '=';
}

/// Commas begin arguments only where a k=v follows, so that a path may hold commas, and a URL that
/// will be refused the "=" of its query. 0 where there is nothing before them.
std::size_t arguments_begin(std::string_view text) {
  if (starts_with_argument(text)) return 0;
  std::size_t comma = text.find(',');
  while (comma != std::string_view::npos && !starts_with_argument(text.substr(comma + 1)))
    comma = text.find(',', comma + 1);
  return std::min(comma, text.size());
}

void set_argument(ModelSpec& spec, const std::string& name, std::string value) {
  const auto same =
      std::ranges::find(spec.arguments, name, &std::pair<std::string, std::string>::first);
  if (same == spec.arguments.end()) {
    spec.arguments.emplace_back(name, std::move(value));
  } else {
    same->second = std::move(value);
  }
}

base::Status parse_arguments(std::string_view rest, ModelSpec& spec) {
  for (const std::string& part : split_top_level(rest, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0)
      return usage_error(fmt::format("--model: '{}' is no argument; wanted NAME=VALUE", part));
    set_argument(spec, part.substr(0, equals), part.substr(equals + 1));
  }
  return {};
}

/// What the arguments name as the weights; "" if nothing.
std::string weights_of(const Value& arguments) {
  for (const char* name : kPathArguments)
    if (const Value* value = arguments.find(name)) return base::python::str(*value);
  return "";
}

/// Of a URL that may hold a password or a key no more than the scheme.
std::string shown(const std::string& text) {
  const std::size_t url = text.find("://");
  if (url == std::string::npos || text.find_first_of("@?#", url) == std::string::npos) return text;
  return text.substr(0, url + 3) + "...";
}

base::Error no_backend(const std::string& text) {
  std::vector<std::string> names = lm_eval_models();
  for (std::string& scheme : backend_schemes()) names.push_back(std::move(scheme));
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto near = base::nearest_names(text.substr(0, text.find(':')), names);
  return {base::ErrorKind::usage,
          fmt::format("--model {}: no backend named; wanted {}{}", shown(text),
                      base::join_or(short_spellings()),
                      near.empty() ? "" : "; did you mean " + base::join_or(near) + "?")};
}

/// What follows the scheme is a URL, or several.
bool is_url_scheme(std::string_view scheme) {
  return is_http_scheme(scheme) && scheme != "ollama";
}

base::Error no_name(const std::string& scheme) {
  const char* what = is_url_scheme(scheme) ? "URL" : scheme == "ollama" ? "name" : "path";
  return {base::ErrorKind::usage,
          fmt::format("--model {}:: no {} after '{}:'; wanted "
                      "{}:{}[,NAME=VALUE...]",
                      scheme, what, scheme, scheme, base::unicode::upper(what))};
}

/// "gguff:model.gguf" is a backend spelled wrong, unless there is such a file.
bool names_scheme(std::string_view head, const std::string& text) {
  const bool plain = head.size() > 1 && std::ranges::all_of(head, [](unsigned char c) {
                       return std::isalnum(c) != 0 || c == '-' || c == '_';
                     });
  std::error_code absent;
  return plain && head.size() < text.size() && !std::filesystem::exists(text, absent);
}

Result<ModelSpec> split_text(const std::string& text, const Value& arguments) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string head = text.substr(0, colon);
  std::string_view rest = text;
  ModelSpec spec;
  const KnownBackend* backend = colon < text.size() ? find_backend(head) : nullptr;
  if (backend != nullptr) {
    spec.scheme = head;
    rest.remove_prefix(colon + 1);
  } else if (text.substr(0, text.find(',')).ends_with(".gguf") && !names_scheme(head, text)) {
    spec.scheme = "gguf";
  } else if (is_lm_eval_model(text)) {
    return tl::unexpected(lm_eval_model_error(text, weights_of(arguments)));
  } else {
    return tl::unexpected(no_backend(text));
  }
  const std::size_t begin = arguments_begin(rest);
  spec.name = rest.substr(0, begin);
  if (spec.name.empty()) return tl::unexpected(no_name(spec.scheme));
  // Before arguments are looked at: a part of a query that is taken for one would be shown.
  if (is_url_scheme(spec.scheme)) TARE_CHECK(backend::http::parse_endpoints(spec.name));
  TARE_CHECK(parse_arguments(rest.substr(std::min(begin + 1, rest.size())), spec));
  return spec;
}

/// The scheme of a name that stands alone; "" if it is no such name.
std::string named_scheme(std::string_view text) {
  const auto* found = std::ranges::find(kNamed, text, &decltype(kNamed)::value_type::first);
  return found == kNamed.end() ? "" : std::string(found->second);
}

/// "--model gguf --model_args pretrained=PATH": the path is one of the arguments.
Result<ModelSpec> named_weights(const std::string& text, const Value& arguments) {
  if (arguments.find("base_url") != nullptr)
    return usage_error(fmt::format(
        "--model {}: base_url={}: a model behind a server cannot be asked; wanted the file itself, "
        "--model_args pretrained=PATH",
        text, shown(base::python::str(*arguments.find("base_url")))));
  ModelSpec spec{"", named_scheme(text), weights_of(arguments), {}};
  if (spec.name.empty())
    return usage_error(fmt::format(
        "--model {}: no weights named; wanted --model_args pretrained=PATH, or --model {}:PATH",
        text, spec.scheme));
  return spec;
}

Result<ModelSpec> basic_spec(const std::string& text, const Value& arguments) {
  if (!named_scheme(text).empty()) return named_weights(text, arguments);
  if (text == "dummy") return ModelSpec{"", "scripted", "zero", {}};
  if (auto served = named_server(text, arguments)) return std::move(*served);
  return split_text(text, arguments);
}

/// True for an argument of lm-eval's spellings that has become the spec's name.
bool is_place(const ModelSpec& spec, std::string_view text, std::string_view name,
              std::string_view value) {
  if (value != spec.name) return false;
  if (is_http_scheme(spec.scheme)) return name == "base_url";
  return !named_scheme(text).empty() && contains(kPathArguments, name);
}

}  // namespace

std::string spelling_of(const ModelSpec& spec) {
  std::string text = spec.scheme + ":" + spec.name;
  for (const auto& [name, value] : spec.arguments) text += fmt::format(",{}={}", name, value);
  return text;
}

Result<ModelSpec> parse_model_spec(const std::string& text, const Value& arguments) {
  TARE_TRY(ModelSpec spec, basic_spec(text, arguments));
  if (arguments.is_dict() && text != "dummy")
    for (const auto& [name, value] : arguments.as_dict())
      if (!is_place(spec, text, name.as_string(), base::python::str(value)))
        set_argument(spec, name.as_string(), base::python::str(value));
  if (spec.scheme == "scripted" && !spec.arguments.empty() && !takes_messages(spec))
    return usage_error(
        fmt::format("--model {}: scripted answers take no argument but endpoint=chat, found {}",
                    text, spec.arguments[0].first));
  spec.text = spelling_of(spec);
  return spec;
}

}  // namespace tare::cli
