#include "backend/http/prompt_faults.h"

#include <doctest/doctest.h>

#include <vector>

#include "backend/byte_tokenizer.h"
#include "backend/http/messages.h"
#include "base/json.h"

namespace tare::backend::http {
namespace {

using core::Token;
using Tokens = std::vector<Token>;

TEST_CASE("tokens that were read against those that were meant") {
  constexpr Token kBos = 1;
  CHECK(fault_in_tokens(Tokens{1, 5, 6}, Tokens{1, 5, 6}, kBos) == PromptFault::none);
  CHECK(fault_in_tokens(Tokens{1, 5, 6}, Tokens{1, 1, 5, 6}, kBos) == PromptFault::double_bos);
  CHECK(fault_in_tokens(Tokens{1, 1, 5}, Tokens{1, 1, 5}, kBos) == PromptFault::none);
  CHECK(fault_in_tokens(Tokens{1, 5, 6, 7}, Tokens{1, 7}, kBos) == PromptFault::silent_truncation);
  CHECK(fault_in_tokens(Tokens{5, 6, 7}, Tokens{6, 7}, std::nullopt) ==
        PromptFault::silent_truncation);
  CHECK(fault_in_tokens(Tokens{5, 6}, Tokens{9, 5, 6, 9}, kBos) == PromptFault::extra_tokens);
  CHECK(fault_in_tokens(Tokens{5, 6, 7}, Tokens{5, 8}, kBos) == PromptFault::none);  // just others
}

TEST_CASE("numbers of tokens that were read") {
  CHECK(fault_in_count(7, 7) == PromptFault::none);
  CHECK(fault_in_count(7, 8) == PromptFault::double_bos);
  CHECK(fault_in_count(7, 6) == PromptFault::silent_truncation);
  CHECK(fault_in_count(7, 30) == PromptFault::extra_tokens);
}

TEST_CASE("a conversation as a template writes it") {
  const auto fault = [](std::string text, std::string_view bos = "<s>") {
    return fault_in_conversation({std::move(text), "Be brief.", "Hello"}, bos);
  };
  CHECK(fault("<s>[SYS]Be brief.[USER]Hello[BOT]") == PromptFault::none);
  CHECK(fault("<s><s>[SYS]Be brief.[USER]Hello") == PromptFault::double_bos);
  CHECK(fault("<s><s>[SYS]Be brief.[USER]Hello", "") == PromptFault::none);
  CHECK(fault("<s>[USER]Hello[BOT]") == PromptFault::lost_system_message);
  CHECK(fault("Be brief.\n\nHello") == PromptFault::missing_chat_template);
  CHECK(fault("<s>Hello") == PromptFault::missing_chat_template);
  CHECK(fault_in_conversation({"[USER]Hello", "", "Hello"}, "") == PromptFault::none);
}

TEST_CASE("counts that stand still while the prompts grow") {
  CountWatch watch;
  watch.add({800, 200});
  watch.add({2000, 259});
  watch.add({2400, 259});
  CHECK_FALSE(watch.stands_still());
  watch.add({100, 20});  // short ones prove nothing
  CHECK_FALSE(watch.stands_still());
  watch.add({4000, 259});
  CHECK(watch.stands_still());
  watch.add({9000, 2500});  // something was read whole
  CHECK_FALSE(watch.stands_still());
}

TEST_CASE("short prompts of one length prove nothing") {
  CountWatch watch;
  for (const std::size_t bytes : {10U, 30U, 40U, 50U}) watch.add({bytes, 12});
  CHECK_FALSE(watch.stands_still());
  CountWatch alike;
  for (const std::size_t bytes : {400U, 410U, 420U, 430U}) alike.add({bytes, 100});
  CHECK_FALSE(alike.stands_still());
}

TEST_CASE("a prompt of bytes is a conversation, or what a user says") {
  const auto messages = [](std::string_view text) {
    return base::json::dump(messages_of(ByteTokenizer().encode(text, false)));
  };
  CHECK(messages(R"([{"role": "system", "content": "S"}, {"role": "user", "content": "U"}])") ==
        R"([{"role": "system", "content": "S"}, {"role": "user", "content": "U"}])");
  CHECK(messages("Hello") == R"([{"role": "user", "content": "Hello"}])");
  CHECK(messages("[1, 2]") == R"([{"role": "user", "content": "[1, 2]"}])");
  CHECK(messages("[]") == R"([{"role": "user", "content": "[]"}])");
}

}  // namespace
}  // namespace tare::backend::http
