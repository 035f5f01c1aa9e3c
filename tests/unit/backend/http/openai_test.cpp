#include <doctest/doctest.h>

#include <cmath>

#include "backend/http/openai_dialect.h"
#include "base/json.h"
#include "support/support.h"

using namespace tare;
using namespace tare::backend;
using namespace tare::backend::http;
using base::Value;

namespace {

ScoreMethod method_of(const std::string& name) {
  for (const ScoreMethod method :
       {ScoreMethod::echo, ScoreMethod::echo_and_one, ScoreMethod::prompt_scores})
    if (name_of(method) == name) return method;
  return ScoreMethod::none;
}

OpenAiDialect dialect_with(ScoreMethod scoring, bool chat = false) {
  OpenAiOptions options;
  options.servers.endpoints = {"http://a/v1"};
  options.chat = chat;
  OpenAiServer server;
  server.model = "m";
  server.scoring = scoring;
  server.greedy = scoring != ScoreMethod::none;
  return {options, server};
}

ScoreItem item_of(const std::string& context, const std::string& continuation) {
  const ByteTokenizer bytes;
  ScoreItem item{7, bytes.encode(context + continuation, false), context.size()};
  if (context.empty()) {
    item.tokens.insert(item.tokens.begin(), *bytes.prefix_token());
    item.first_scored = 1;
  }
  return item;
}

std::string body_of(const Value& one) {
  const Value* body = one.find("body");
  return body->is_string() ? body->as_string() : base::json::dump(*body);
}

GenerateItem prompt_of(const std::string& text, const core::GenerationSettings& settings) {
  return {1, ByteTokenizer().encode(text, false), &settings, 0xffff'ffff'0000'002aU};
}

}  // namespace

TEST_CASE("openai: answers to scoring calls") {
  const Value cases = test::load_cases("backend/openai_scores.json");
  for (const Value& one : cases.items()) {
    CAPTURE(one.find("name")->as_string());
    const OpenAiDialect dialect = dialect_with(method_of(one.find("method")->as_string()));
    const ScoreItem item =
        item_of(one.find("context")->as_string(), one.find("continuation")->as_string());
    const Scored scored = dialect.read_score(item, 0, body_of(one));
    if (const Value* reason = one.find("reason")) {
      REQUIRE_FALSE(scored);
      CHECK(scored.error().reason == reason->as_string());
      continue;
    }
    REQUIRE_MESSAGE(scored, scored.error().reason);
    CHECK(scored->sum == doctest::Approx(one.find("sum")->as_number()).epsilon(1e-12));
    CHECK(scored->greedy == one.find("greedy")->as_bool());
  }
}

TEST_CASE("openai: answers to generating calls") {
  core::GenerationSettings settings;
  const Value cases = test::load_cases("backend/openai_texts.json");
  for (const Value& one : cases.items()) {
    CAPTURE(one.find("name")->as_string());
    const OpenAiDialect dialect =
        dialect_with(ScoreMethod::none, one.find("endpoint")->as_string() == "chat");
    const Continued generated = dialect.read_generated(prompt_of("x", settings), body_of(one));
    if (const Value* reason = one.find("reason")) {
      REQUIRE_FALSE(generated);
      CHECK(generated.error().reason == reason->as_string());
      continue;
    }
    REQUIRE_MESSAGE(generated, generated.error().reason);
    CHECK(generated->text == one.find("text")->as_string());
    CHECK(static_cast<int>(generated->finish) == one.find("finish")->as_int());
    CHECK(generated->tokens.size() == generated->text.size());
  }
}

TEST_CASE("openai: scoring calls say what the server was found to need") {
  const ScoreItem item = item_of("ab", " c");
  CHECK(dialect_with(ScoreMethod::echo).score_call(item, 0).body ==
        R"({"model": "m", "prompt": "ab c", "temperature": 0.0, "max_tokens": 0, "echo": true, )"
        R"("logprobs": 1})");
  CHECK(dialect_with(ScoreMethod::prompt_scores).score_call(item, 0).body ==
        R"({"model": "m", "prompt": "ab c", "temperature": 0.0, "max_tokens": 1, )"
        R"("prompt_logprobs": 0})");
  CHECK(dialect_with(ScoreMethod::echo_and_one).score_call(item, 0).path == "/completions");
}

TEST_CASE("openai: what a run leaves to the server is not sent") {
  core::GenerationSettings settings;
  settings.until = {"\n", "Q:", "a", "b", "c"};
  settings.max_tokens = 32;
  const OpenAiDialect dialect = dialect_with(ScoreMethod::none);
  const auto body = [&] { return dialect.generate_call(prompt_of("p", settings)).body; };
  const std::string stop = R"("stop": ["\n", "Q:", "a", "b"]})";
  CHECK(body() == R"({"model": "m", "prompt": "p", "temperature": 0.0, "max_tokens": 32, )" + stop);
  settings.sample = true;
  settings.temperature = 0.7;
  settings.top_p = 0.9;
  settings.top_k = 50;
  settings.repetition_penalty = 1.1;
  CHECK(body() == R"({"model": "m", "prompt": "p", "temperature": 0.7, "top_p": 0.9, "top_k": 50, )"
                  R"("repetition_penalty": 1.1, "seed": 42, "max_tokens": 32, )" +
                      stop);
  settings.parameters = core::GenerationParameters::given_length;
  CHECK(body() == R"({"model": "m", "prompt": "p", "max_tokens": 32, )" + stop);
  settings.parameters = core::GenerationParameters::backend;
  CHECK(body() == R"({"model": "m", "prompt": "p", )" + stop);
  settings.until.clear();
  CHECK(body() == R"({"model": "m", "prompt": "p"})");
}

TEST_CASE("openai: a chat prompt is messages, or one message of the user") {
  core::GenerationSettings settings;
  settings.parameters = core::GenerationParameters::backend;
  const OpenAiDialect dialect = dialect_with(ScoreMethod::none, true);
  const Call plain = dialect.generate_call(prompt_of("[1] What is it?", settings));
  CHECK(plain.path == "/chat/completions");
  CHECK(plain.body ==
        R"({"model": "m", "messages": [{"role": "user", "content": "[1] What is it?"}]})");
  const std::string messages =
      R"([{"role": "system", "content": "s"}, {"role": "user", "content": "u"}])";
  CHECK(dialect.generate_call(prompt_of(messages, settings)).body ==
        R"({"model": "m", "messages": )" + messages + "}");
}

TEST_CASE("openai: a server without log-probabilities cannot score, and bytes are no token ids") {
  const Capabilities none = dialect_with(ScoreMethod::none).capabilities();
  CHECK_FALSE(none.loglikelihood);
  CHECK(none.generation);
  CHECK_FALSE(none.token_ids);
  CHECK(none.context_length == 0);
  CHECK(dialect_with(ScoreMethod::echo).capabilities().greedy_flag);
  CHECK(dialect_with(ScoreMethod::none, true).capabilities().chat_messages);
}
