#include "task/prompt.h"

#include "base/unicode.h"

namespace tare::task {
namespace {

namespace unicode = base::unicode;

std::string question_delimiter(const Turn& turn) {
  if (turn.gen_prefix.empty()) return turn.answer ? turn.target_delimiter : "";
  return needs_delimiter(turn.question, turn.gen_prefix) ? turn.target_delimiter : "";
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

}  // namespace tare::task
