#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tare::backend {

/// A turn of a conversation, as a chat endpoint takes it.
struct Message {
  std::string role;  ///< "system", "user" or "assistant"
  std::string content;

  friend bool operator==(const Message&, const Message&) = default;
};

/// `[{"role": "user", "content": "..."}, ...]`: how a conversation travels as a request's context.
std::string messages_text(std::span<const Message> messages);

/// What messages_text() wrote. Any other text is one message of the user.
std::vector<Message> read_messages(std::string_view prompt);

}  // namespace tare::backend
