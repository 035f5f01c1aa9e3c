#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/messages.h"

/// A prompt is some messages whatever it is, and they are read back as they were written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view prompt(reinterpret_cast<const char*>(data), size);
  const auto messages = tare::backend::read_messages(prompt);
  if (messages.empty()) std::abort();
  const bool plain = messages.size() == 1 && messages[0].content == prompt;
  if (!plain && tare::backend::read_messages(tare::backend::messages_text(messages)) != messages)
    std::abort();
  return 0;
}
