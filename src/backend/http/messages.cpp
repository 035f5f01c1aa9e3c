#include "backend/http/messages.h"

#include "backend/byte_tokenizer.h"
#include "backend/messages.h"

namespace tare::backend::http {

base::Value messages_of(std::span<const core::Token> prompt) {
  base::List list;
  for (Message& message : read_messages(bytes_text(prompt))) {
    base::Dict dict;
    dict.set("role", std::move(message.role));
    dict.set("content", std::move(message.content));
    list.emplace_back(std::move(dict));
  }
  return list;
}

}  // namespace tare::backend::http
