#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

/// Conversations to prompts, as transformers' apply_chat_template(tokenize=False) makes them.
namespace tare::text {

namespace jinja {
struct Program;
}

struct ChatMessage {
  std::string role;  ///< "system", "user" or "assistant"
  std::string content;
};

/// What the prompt ends with.
enum class ChatEnd {
  header,   ///< the head of a new answer (add_generation_prompt)
  message,  ///< the last message, left open (continue_final_message)
};

struct RenderedChat {
  std::string text;
  bool system_dropped = false;  ///< the template raised an error until system messages were gone
};

/// Renders a conversation: a template, or what stands in for one.
using ChatRenderer =
    std::function<base::Result<RenderedChat>(const std::vector<ChatMessage>&, ChatEnd)>;

/// What a template sees beside the conversation.
struct ChatSettings {
  /// A dict: texts of special tokens ("bos_token", ...) and the chat_template_args.
  base::Value variables = base::Dict{};
  /// The clock of strftime_now; unset: a template that asks for it is an error.
  std::function<std::chrono::system_clock::time_point()> now;
};

/// A chat template. Immutable; may be used from several threads at once.
class ChatTemplate {
 public:
  /// Errors: a syntax fault, with its line.
  static base::Result<ChatTemplate> parse(std::string_view source, ChatSettings settings);

  /// Where the template raises an error of Jinja, the conversation is rendered once more without
  /// its system messages, as lm-eval does. Other errors: those of the template, and an opened last
  /// message that the template leaves out.
  [[nodiscard]] base::Result<RenderedChat> render(const std::vector<ChatMessage>& messages,
                                                  ChatEnd end) const;

  [[nodiscard]] const std::string& source() const;

 private:
  std::shared_ptr<const jinja::Program> program_;
  base::Value variables_;
};

}  // namespace tare::text
