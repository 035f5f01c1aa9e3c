#include "backend/http/llama_server_wire.h"

#include <doctest/doctest.h>

#include "support/support.h"
#include "wire_cases.h"

namespace tare::backend::http::llama_server {
namespace {

using base::Value;
using core::Token;
namespace cases = test_cases;

Value file() {
  return test::load_cases("backend/llama_server.json");
}

Asked asked_of(const Value& entry) {
  const Value asked = dict_at(entry, "asked");
  Asked result;
  if (const auto tokens = integer_at(asked, "prompt_tokens"))
    result.prompt_tokens = static_cast<std::size_t>(*tokens);
  result.context_length = static_cast<std::size_t>(integer_at(asked, "context_length").value_or(0));
  return result;
}

TEST_CASE("a llama-server says what it is") {
  const auto props = read_props(*file().find("props"));
  REQUIRE(props);
  CHECK(props->build == "b0-unknown");
  CHECK(props->model_path == "/models/smollm2-135m-instruct-q8_0.gguf");
  CHECK(props->file_type == "Q8_0");
  CHECK(props->slots == 1);
  CHECK(props->context_length == 4096);
  CHECK(props->bos_text == "<|im_start|>");
  CHECK(props->eos_text == "<|im_end|>");
  CHECK(props->chat_template.starts_with("{% for message in messages %}"));
  CHECK(integer_at(props->defaults, "top_k") == 40);
}

TEST_CASE("another server is told from a llama-server by what is missing") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "wrong_props")) {
    CAPTURE(*text_at(entry, "name"));
    const auto props = read_props(*entry.find("answer"));
    REQUIRE_FALSE(props);
    CHECK(props.error().kind == base::ErrorKind::input);
    CHECK(props.error().text.find(*text_at(entry, "error")) != std::string::npos);
  }
}

TEST_CASE("requests to continue a prompt") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "bodies")) {
    CAPTURE(*text_at(entry, "name"));
    const core::GenerationSettings settings = cases::settings_of(dict_at(entry, "settings"));
    const GenerateItem item{0, {504, 3575}, &settings, cases::seed_of(entry)};
    const Manner manner{true_at(entry, "cache_prompt"), integer_at(entry, "slot")};
    cases::check_body(generate_body(item, manner), *entry.find("body"));
  }
}

TEST_CASE("a request for a conversation holds its messages and asks for the native answer") {
  const core::GenerationSettings settings = cases::up_to(5);
  const GenerateItem item{0, {1}, &settings, 0};
  const auto messages = base::json::parse(R"([{"role": "user", "content": "Hi"}])");
  const auto body = base::json::parse(chat_body(*messages, item, {}));
  REQUIRE(body);
  CHECK(*body->find("messages") == *messages);
  CHECK(body->find("prompt") == nullptr);
  CHECK(true_at(*body, "verbose"));
  CHECK(integer_at(*body, "n_predict") == 5);
}

TEST_CASE("a request for the next token makes it come") {
  const std::vector<Token> prompt{504, 3575};
  cases::check_body(next_token_body(prompt, 282, {}), *file().find("next_body"));
}

TEST_CASE("answers of /completion") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "answers")) {
    const auto read = read_generated(*entry.find("answer"), asked_of(entry));
    cases::check_generated(read, entry);
    if (!read) continue;
    std::vector<Token> tokens;
    for (const Value& token : cases::list_in(entry, "tokens"))
      tokens.push_back(static_cast<Token>(token.as_int()));
    CHECK(read->tokens == tokens);
  }
}

TEST_CASE("answers of /v1/chat/completions") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "chats"))
    cases::check_generated(read_chat(*entry.find("answer"), {std::nullopt, 4096}), entry);
}

TEST_CASE("log-probabilities of a next token") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "next_tokens")) {
    CAPTURE(*text_at(entry, "name"));
    const auto wanted = static_cast<Token>(*integer_at(entry, "wanted"));
    const auto read = read_next_token(*entry.find("answer"), wanted, asked_of(entry));
    const auto failure = text_at(entry, "failure");
    REQUIRE(read.has_value() == !failure.has_value());
    if (failure) {
      CHECK(read.error().reason == *failure);
    } else {
      CHECK(read->sum == number_at(entry, "sum"));
      CHECK(read->greedy == true_at(entry, "greedy"));
    }
  }
}

}  // namespace
}  // namespace tare::backend::http::llama_server
