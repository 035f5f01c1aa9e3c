#include "cli/model_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace tare::cli {
namespace {

using base::usage_error;

constexpr std::array<std::string_view, 2> kSchemes{"gguf", "scripted"};
constexpr std::array<std::string_view, 7> kLaterSchemes{
    "openai", "llama-server", "ollama", "vllm", "hf", "hf-pipeline", "langchain-hf"};

bool contains(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Commas begin arguments only where a k=v follows, so that a path may hold commas.
std::size_t arguments_begin(std::string_view text) {
  const std::size_t equals = text.find('=');
  return equals == std::string_view::npos ? text.size() : text.rfind(',', equals);
}

base::Status parse_arguments(std::string_view rest, ModelSpec& spec) {
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, comma);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return usage_error(fmt::format("--model: '{}' is no argument; wanted NAME=VALUE", part));
    spec.arguments.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return {};
}

base::Result<std::pair<std::string, std::string_view>> split_scheme(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const std::string_view scheme = text.substr(0, colon);
    if (contains(kSchemes, scheme)) return std::pair(std::string(scheme), text.substr(colon + 1));
    if (contains(kLaterSchemes, scheme))
      return usage_error(
          fmt::format("--model {}: the backend '{}' is not built in yet; gguf: and scripted: are",
                      text, scheme));
  }
  if (text.substr(0, text.find(",")).ends_with(".gguf"))
    return std::pair(std::string("gguf"), text);
  return usage_error(
      fmt::format("--model {}: no backend named; wanted gguf:PATH or scripted:FILE", text));
}

}  // namespace

base::Result<ModelSpec> parse_model_spec(const std::string& text) {
  TARE_TRY(const auto parts, split_scheme(text));
  ModelSpec spec;
  spec.text = text;
  spec.scheme = parts.first;
  const std::string_view rest = parts.second;
  const std::size_t begin = arguments_begin(rest);
  if (begin == std::string_view::npos || rest.substr(0, begin).empty())
    return usage_error(fmt::format("--model {}: no path after '{}:'", text, spec.scheme));
  spec.name = rest.substr(0, begin);
  TARE_CHECK(parse_arguments(rest.substr(std::min(begin + 1, rest.size())), spec));
  return spec;
}

}  // namespace tare::cli
