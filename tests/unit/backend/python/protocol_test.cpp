#include "backend/python/protocol.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "fake.h"

namespace tare::backend::python {
namespace {

using base::Value;

/// What is wrong with an answer of `kind` for one item; "" if nothing is.
std::string fault_of(const std::string& kind, const std::string& line) {
  const auto reply = read_reply(line, 4);
  if (!reply) return reply.error().text;
  if (!*reply) return "refused: " + reply->error();
  const auto text = [](const auto& result) { return result ? "" : result.error().text; };
  if (kind == "hello") return text(read_hello(**reply));
  if (kind == "tokens") return text(read_tokens(**reply));
  if (kind == "text") return text(read_text(**reply));
  if (kind == "scores") return text(read_scores(**reply, 1));
  return text(read_generated(**reply, 1));
}

TEST_CASE("answers are read, and what is none is refused with its reason") {
  const Value cases = test::load_cases("backend/worker_answers.json");
  for (const Value& one : cases.find("cases")->items()) {
    const std::string line = one.find("line")->as_string();
    CAPTURE(line);
    CHECK(fault_of(one.find("kind")->as_string(), line) == one.find("fault")->as_string());
  }
}

TEST_CASE("a score is read to the last bit, with its flag") {
  const auto body =
      base::json::parse(R"({"results": [{"sum": -0.1234567890123456789, "greedy": true}]})");
  const auto scores = read_scores(*body, 1);
  REQUIRE(scores);
  REQUIRE(scores->front());
  CHECK(scores->front()->sum == -0.1234567890123456789);
  CHECK(scores->front()->greedy);
}

TEST_CASE("what failed alone, and what is no number, are outcomes of their items") {
  const auto body = base::json::parse(
      R"({"results": [{"error": "too long"}, {"sum": NaN, "greedy": false},
          {"sum": 3.5, "greedy": false}, {"sum": -Infinity, "greedy": false}]})");
  const auto scores = read_scores(*body, 4);
  REQUIRE(scores);
  CHECK((*scores)[0].error().reason == "too long");
  CHECK((*scores)[1].error().reason == "the log-likelihood is not a number");
  CHECK((*scores)[2].error().reason == "the log-likelihood is above 0");
  CHECK((*scores)[3].has_value());
}

TEST_CASE("tokens of several texts are as many lists, or none is taken") {
  const auto body = base::json::parse(R"({"tokens": [[1, 2], [], [3]]})");
  const auto lists = read_token_lists(*body, 3);
  REQUIRE(lists);
  CHECK(*lists == std::vector<std::vector<core::Token>>{{1, 2}, {}, {3}});
  CHECK_FALSE(read_token_lists(*body, 2));
  CHECK_FALSE(read_token_lists(*base::json::parse(R"({"tokens": [[1], [-2]]})"), 2));
}

TEST_CASE("a generated answer keeps its tokens, text and end") {
  const auto body = base::json::parse(
      R"({"results": [{"tokens": [5, 70000], "text": "é\n", "finish": "stop"}]})");
  const auto answers = read_generated(*body, 1);
  REQUIRE(answers);
  REQUIRE(answers->front());
  CHECK(answers->front()->tokens == std::vector<core::Token>{5, 70000});
  CHECK(answers->front()->text == "é\n");
  CHECK(answers->front()->finish == core::FinishReason::stop_string);
}

TEST_CASE("what a backend is to choose itself is not sent") {
  core::GenerationSettings settings;
  settings.max_tokens = 7;
  settings.until = {"\n"};
  GenerateItem item{0, {1, 2}, &settings, 9};
  CHECK(
      generate_line(3, {&item, 1}) ==
      R"({"items": [{"tokens": [1, 2], "seed": 4}], "settings": {"parameters": "given", "max_tokens": 7, )"
      R"("sample": false}, "until": ["\n"], "id": 3, "op": "generate"})");
  settings.sample = true;
  settings.temperature = 0.5;
  settings.top_k = 40;
  settings.parameters = core::GenerationParameters::backend;
  const auto line = base::json::parse(generate_line(3, {&item, 1}));
  CHECK(*line->find("settings")->find("parameters") == Value("backend"));
  CHECK(*line->find("settings")->find("top_k") == Value(40));
  CHECK(line->find("settings")->find("top_p") == nullptr);
}

TEST_CASE("requests are lines of ASCII") {
  const std::vector<std::string> texts{"é\n", "b"};
  CHECK(tokenize_line(1, texts, true) ==
        R"({"texts": ["\u00e9\n", "b"], "specials": true, "id": 1, "op": "tokenize"})");
  const ScoreItem item = score_item(8, "abc", 1);
  CHECK(score_line(2, {&item, 1}) ==
        R"({"items": [{"tokens": [97, 98, 99], "first_scored": 2}], "id": 2, "op": "score"})");
  CHECK(bye_line(9) == R"({"id": 9, "op": "bye"})");
}

}  // namespace
}  // namespace tare::backend::python
