#include <doctest/doctest.h>

#include "cases.h"
#include "task/prompt.h"

namespace tare::test {
namespace {

using base::Value;

std::string text_at(const Value& test, std::string_view key) {
  const Value value = at(test, key);
  return value.is_none() ? "" : value.as_string();
}

task::Turn turn_of(const Value& test) {
  task::Turn turn{text_at(test, "question"), std::nullopt, text_at(test, "gen_prefix"),
                  text_at(test, "target_delimiter"), text_at(test, "fewshot_delimiter")};
  if (at(test, "answer").is_string()) turn.answer = at(test, "answer").as_string();
  return turn;
}

TEST_CASE("turns become plain text") {
  for_each_case("turn.json", [](const Value& test) {
    std::vector<task::Message> messages;
    task::append_turn(messages, turn_of(test));
    CHECK_EQ(task::plain_text(messages), at(test, "text").as_string());
    CHECK_EQ(messages.size(), static_cast<std::size_t>(at(test, "messages").as_int()));
  });
}

TEST_CASE("texts are joined with a delimiter only where no whitespace meets") {
  for_each_case("join.json", [](const Value& test) {
    CHECK_EQ(task::join(text_at(test, "a"), text_at(test, "b"), text_at(test, "delimiter")),
             at(test, "joined").as_string());
  });
}

}  // namespace
}  // namespace tare::test
