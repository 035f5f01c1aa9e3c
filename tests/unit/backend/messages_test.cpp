#include "backend/messages.h"

#include <doctest/doctest.h>

namespace tare::backend {

TEST_CASE("a conversation is read back as it was written") {
  const std::vector<Message> talk{
      {"system", "Be \"brief\".\n"}, {"user", "Größe?"}, {"assistant", ""}};
  const std::string text = messages_text(talk);
  CHECK(
      text ==
      R"([{"role": "system", "content": "Be \"brief\".\n"}, {"role": "user", "content": "Größe?"}, )"
      R"({"role": "assistant", "content": ""}])");
  CHECK(read_messages(text) == talk);
}

TEST_CASE("text that is no conversation is one message of the user") {
  for (const char* text :
       {"What is [{ for?", "", "[]", "[{", "[{}]", R"([{"role": "user"}])",
        R"([{"role": "user", "content": 1}])", R"([{"role": "user", "content": "a"}, 7])",
        R"([{"role": "user", "content": "a", "name": "b"}])",
        R"( [{"role": "user", "content": "a"}])"}) {
    CAPTURE(text);
    CHECK(read_messages(text) == std::vector<Message>{{"user", text}});
  }
}

}  // namespace tare::backend
