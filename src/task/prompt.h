#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/chat.h"

/// Prompts as lists of messages, so that plain text and chat templates start from the same thing.
namespace tare::task {

enum class Role { system, user, assistant };

struct Message {
  Role role = Role::user;
  std::string content;
  std::string delimiter;  ///< stands after the content in plain text only
};

/// A question, with its answer in few-shot examples.
struct Turn {
  std::string question;
  std::optional<std::string> answer;
  std::string gen_prefix;  ///< begins the answer; "" for none
  std::string target_delimiter;
  std::string fewshot_delimiter;
};

/// True if `a` is not empty and no whitespace stands where the two would meet; `b` is not empty.
bool needs_delimiter(std::string_view a, std::string_view b);

/// The other one if one is empty; else both, with `delimiter` between them if they need one.
std::string join(std::string_view a, std::string_view b, std::string_view delimiter);

void append_turn(std::vector<Message>& messages, const Turn& turn);

/// Contents and delimiters in a row.
std::string plain_text(const std::vector<Message>& messages);

/// Messages as they are, without delimiters, or, if not `multiturn`, all between the system message
/// and the begun answer as one message of the user in plain text.
std::vector<text::ChatMessage> chat_messages(const std::vector<Message>& messages, bool multiturn);

}  // namespace tare::task
