#include "task/prompt.h"

#include "base/unicode.h"

namespace tare::task {
namespace {

namespace unicode = base::unicode;

std::string question_delimiter(const Turn& turn) {
  if (turn.gen_prefix.empty()) return turn.answer ? turn.target_delimiter : "";
  return needs_delimiter(turn.question, turn.gen_prefix) ? turn.target_delimiter : "";
}

const char* name_of(Role role) {
  switch (role) {
    case Role::system:
      return "system";
    case Role::user:
      return "user";
    case Role::assistant:
      return "assistant";
  }
  return "?";
}

text::ChatMessage chat_message(const Message& message) {
  return {name_of(message.role), message.content};
}

}  // namespace

bool needs_delimiter(std::string_view a, std::string_view b) {
  const bool space_ends = unicode::rstrip(a).size() != a.size();
  const bool space_begins = unicode::lstrip(b).size() != b.size();
  return !a.empty() && !space_ends && !space_begins;
}

std::string join(std::string_view a, std::string_view b, std::string_view delimiter) {
  std::string joined(a);
  if (!a.empty() && !b.empty() && needs_delimiter(a, b)) joined += delimiter;
  return joined += b;
}

void append_turn(std::vector<Message>& messages, const Turn& turn) {
  messages.push_back({Role::user, turn.question, question_delimiter(turn)});
  if (turn.answer) {
    messages.push_back(
        {Role::assistant, join(turn.gen_prefix, *turn.answer, " "), turn.fewshot_delimiter});
  } else if (!turn.gen_prefix.empty()) {
    messages.push_back({Role::assistant, turn.gen_prefix, ""});
  }
}

std::string plain_text(const std::vector<Message>& messages) {
  std::size_t size = 0;
  for (const Message& message : messages) size += message.content.size() + message.delimiter.size();
  std::string text;
  text.reserve(size);
  for (const Message& message : messages) text.append(message.content).append(message.delimiter);
  return text;
}

std::vector<text::ChatMessage> chat_messages(const std::vector<Message>& messages, bool multiturn) {
  std::vector<text::ChatMessage> chat;
  if (multiturn || messages.empty()) {
    for (const Message& message : messages) chat.push_back(chat_message(message));
    return chat;
  }
  auto first = messages.begin();
  auto last = messages.end();
  if (first->role == Role::system) chat.push_back(chat_message(*first++));
  if (messages.back().role == Role::assistant) --last;
  std::vector<Message> joined(first, last);
  if (!joined.empty()) joined.back().delimiter.clear();
  chat.push_back({name_of(Role::user), plain_text(joined)});
  if (last != messages.end()) chat.push_back(chat_message(*last));
  return chat;
}

}  // namespace tare::task
