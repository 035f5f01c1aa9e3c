#include "backend/http/messages.h"

#include <algorithm>

#include "backend/byte_tokenizer.h"
#include "backend/http/fields.h"
#include "base/json.h"

namespace tare::backend::http {
namespace {

using base::Value;

bool is_message(const Value& value) {
  return text_at(value, "role").has_value() && text_at(value, "content").has_value();
}

bool is_conversation(const Value& value) {
  return value.is_list() && !value.items().empty() &&
         std::ranges::all_of(value.items(), is_message);
}

}  // namespace

Value messages_of(std::span<const core::Token> prompt) {
  std::string text = bytes_text(prompt);
  if (text.starts_with('['))
    if (auto parsed = base::json::parse(text); parsed && is_conversation(*parsed)) return *parsed;
  base::Dict message;
  message.set("role", "user");
  message.set("content", std::move(text));
  return base::List(1, Value(std::move(message)));
}

}  // namespace tare::backend::http
