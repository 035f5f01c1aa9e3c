#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/request.h"

/// What can become of a prompt on its way into a model behind a server, found by name. Each
/// function looks at what one server tells; none of them asks anything.
namespace tare::backend::http {

enum class PromptFault {
  none,
  double_bos,             ///< a token that begins texts stands there twice
  silent_truncation,      ///< a part of the prompt is gone and the server did not say so
  extra_tokens,           ///< more was read than was sent
  lost_system_message,    ///< the template drops it
  missing_chat_template,  ///< messages are joined without a word of who speaks
};

/// "double BOS", "silent truncation", ...; "" for none.
std::string_view name_of(PromptFault fault);

/// The tokens that a server read against those that were meant. Truncation is told where those read
/// are fewer, and each stands in the order of those meant.
PromptFault fault_in_tokens(std::span<const core::Token> meant, std::span<const core::Token> read,
                            std::optional<core::Token> bos);

/// How many tokens a server says it read. One too many is the BOS token that a server adds to
/// prompts which have one.
PromptFault fault_in_count(std::size_t meant, std::size_t read);

/// `text` begins with `bos`, and again with `bos`.
bool doubles_bos(std::string_view text, std::string_view bos);

/// A conversation as a server's chat template writes it.
struct Rendered {
  std::string text;
  std::string system;  ///< what the system message said; "" without one
  std::string user;
};

/// The first fault in the order: missing chat template, lost system message, double BOS.
PromptFault fault_in_conversation(const Rendered& rendered, std::string_view bos);

/// A prompt's length as sent, and how many tokens of it were read.
struct CountedPrompt {
  std::size_t bytes = 0;
  std::size_t tokens = 0;
};

/// Looks for prompts of different lengths that are read as the same number of tokens.
class CountWatch {
 public:
  void add(const CountedPrompt& prompt);
  /// Three prompts or more, the longest twice as long as the shortest, were read as the same number
  /// of tokens, and none as more: something cuts them. Below 64 tokens that proves nothing.
  [[nodiscard]] bool stands_still() const;

 private:
  std::size_t most_ = 0;   ///< tokens of the prompts that the others count
  std::size_t alike_ = 0;  ///< prompts
  std::size_t shortest_ = 0, longest_ = 0;
};

}  // namespace tare::backend::http
