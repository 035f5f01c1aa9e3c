#include "plan/request_key.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/hash.h"

namespace tare::plan {
namespace {

/// Four bytes a token, the lowest first.
std::string bytes_of(const std::vector<core::Token>& tokens) {
  std::string bytes;
  bytes.reserve(tokens.size() * 4);
  for (const core::Token token : tokens)
    for (int shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(static_cast<std::uint32_t>(token) >> shift);
  return bytes;
}

std::string text_of(const core::GenerationSettings& settings, std::string_view defaults) {
  std::string text;
  if (settings.parameters != core::GenerationParameters::given)
    text = fmt::format("defaults {}:{}\n", defaults.size(), defaults);
  if (settings.parameters != core::GenerationParameters::backend)
    text += fmt::format("max_tokens {}\n", settings.max_tokens);
  for (const std::string& stop : settings.until)
    text += fmt::format("stop {}:{}\n", stop.size(), stop);
  if (settings.parameters != core::GenerationParameters::given) return text;
  if (settings.repetition_penalty)
    text += fmt::format("repetition_penalty {}\n", *settings.repetition_penalty);
  if (!settings.sample) return text;
  text += fmt::format("temperature {}\n", settings.temperature);
  if (settings.top_p) text += fmt::format("top_p {}\n", *settings.top_p);
  if (settings.min_p) text += fmt::format("min_p {}\n", *settings.min_p);
  if (settings.top_k) text += fmt::format("top_k {}\n", *settings.top_k);
  return text;
}

}  // namespace

std::string request_key(const EncodedRequest& request, const core::GenerationSettings& generation,
                        std::string_view defaults) {
  std::string head;
  if (!request.generates()) {
    head = fmt::format("score\nfirst_scored {}\n", request.first_scored);
  } else {
    head = "generate\n" + text_of(generation, defaults);
    if (core::answers_vary(generation)) head += fmt::format("seed {}\n", request.seed);
  }
  base::Sha256 hash;
  hash.update(head);
  hash.update(fmt::format("tokens {}:", request.tokens.size()));
  hash.update(bytes_of(request.tokens));
  return hash.hex();
}

}  // namespace tare::plan
