#include "backend/http/prompt_faults.h"

#include <algorithm>

#include "base/unicode.h"

namespace tare::backend::http {
namespace {

using core::Token;

constexpr std::size_t kFewTokens = 64;
constexpr std::size_t kFewPrompts = 3;

bool starts_twice(std::span<const Token> tokens, Token bos) {
  return tokens.size() > 1 && tokens[0] == bos && tokens[1] == bos;
}

/// Each token of `part` stands in `whole`, in this order.
bool is_within(std::span<const Token> part, std::span<const Token> whole) {
  std::size_t found = 0;
  for (const Token token : whole)
    if (found < part.size() && part[found] == token) ++found;
  return found == part.size();
}

std::string without(std::string text, std::string_view part) {
  const std::size_t at = part.empty() ? std::string::npos : text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

}  // namespace

std::string_view name_of(PromptFault fault) {
  switch (fault) {
    case PromptFault::none:
      return "";
    case PromptFault::double_bos:
      return "double BOS";
    case PromptFault::silent_truncation:
      return "silent truncation";
    case PromptFault::extra_tokens:
      return "extra tokens";
    case PromptFault::lost_system_message:
      return "lost system message";
    case PromptFault::missing_chat_template:
      return "missing chat template";
  }
  return "";
}

PromptFault fault_in_tokens(std::span<const Token> meant, std::span<const Token> read,
                            std::optional<Token> bos) {
  if (bos && starts_twice(read, *bos) && !starts_twice(meant, *bos)) return PromptFault::double_bos;
  if (read.size() < meant.size() && is_within(read, meant)) return PromptFault::silent_truncation;
  if (read.size() > meant.size() && is_within(meant, read)) return PromptFault::extra_tokens;
  return PromptFault::none;
}

PromptFault fault_in_count(std::size_t meant, std::size_t read) {
  if (read < meant) return PromptFault::silent_truncation;
  if (read == meant + 1) return PromptFault::double_bos;
  return read > meant ? PromptFault::extra_tokens : PromptFault::none;
}

bool doubles_bos(std::string_view text, std::string_view bos) {
  return !bos.empty() && text.starts_with(bos) && text.substr(bos.size()).starts_with(bos);
}

PromptFault fault_in_conversation(const Rendered& rendered, std::string_view bos) {
  const std::string frame =
      without(without(without(rendered.text, rendered.system), rendered.user), bos);
  if (base::unicode::strip(frame).empty()) return PromptFault::missing_chat_template;
  if (rendered.text.find(rendered.system) == std::string::npos)
    return PromptFault::lost_system_message;
  return doubles_bos(rendered.text, bos) ? PromptFault::double_bos : PromptFault::none;
}

void CountWatch::add(const CountedPrompt& prompt) {
  if (prompt.tokens < most_) return;
  if (prompt.tokens > most_ || alike_ == 0) {
    most_ = prompt.tokens;
    alike_ = 0;
    shortest_ = longest_ = prompt.bytes;
  }
  ++alike_;
  shortest_ = std::min(shortest_, prompt.bytes);
  longest_ = std::max(longest_, prompt.bytes);
}

bool CountWatch::stands_still() const {
  return most_ >= kFewTokens && alike_ >= kFewPrompts && longest_ >= 2 * shortest_;
}

}  // namespace tare::backend::http
