#include "backend/messages.h"

#include <optional>

#include "base/json.h"

namespace tare::backend {
namespace {

using base::Value;

std::optional<Message> read_message(const Value& value) {
  if (!value.is_dict() || value.as_dict().size() != 2) return std::nullopt;
  const Value* role = value.find("role");
  const Value* content = value.find("content");
  if (role == nullptr || content == nullptr || !role->is_string() || !content->is_string())
    return std::nullopt;
  return Message{role->as_string(), content->as_string()};
}

std::optional<std::vector<Message>> read_conversation(std::string_view prompt) {
  if (!prompt.starts_with("[{")) return std::nullopt;
  const auto list = base::json::parse(prompt);
  if (!list || !list->is_list()) return std::nullopt;
  std::vector<Message> messages;
  for (const Value& item : list->items()) {
    auto message = read_message(item);
    if (!message) return std::nullopt;
    messages.push_back(std::move(*message));
  }
  return messages;
}

}  // namespace

std::string messages_text(std::span<const Message> messages) {
  base::List list;
  for (const Message& message : messages) {
    base::Dict dict;
    dict.set("role", message.role);
    dict.set("content", message.content);
    list.emplace_back(std::move(dict));
  }
  return base::json::dump(Value(std::move(list)));
}

std::vector<Message> read_messages(std::string_view prompt) {
  if (auto conversation = read_conversation(prompt)) return std::move(*conversation);
  return {{"user", std::string(prompt)}};
}

}  // namespace tare::backend
