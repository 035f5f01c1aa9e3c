#include "backend/http/llama_server.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fake_transport.h"
#include "support/support.h"
#include "wire_cases.h"

namespace tare::backend::http {
namespace {

using base::Value;
using core::Token;

constexpr const char* kUrl = "http://a";

/// A llama-server whose tokens are bytes, 1 and 2 for its special ones, and whose log-probability
/// of a token is a hundredth of its id.
struct Playing {
  Value props = *test::load_cases("backend/llama_server.json").find("props");
  std::string other_build{};  ///< of the endpoint http://b
  std::string rendered = "[system]Tare asks for a system message.[user]Tare asks as a user.[bot]";
  bool adds_bos = false;
  bool counts = true;   ///< reads all that is sent
  bool dies = false;    ///< its tokenizer, after the special tokens
  bool locked = false;  ///< no key will do

  [[nodiscard]] std::string tokenized(const std::string& text, bool specials) const {
    if (text == "<|im_start|>") return "[1]";
    if (text == "<|im_end|>") return "[2]";
    std::string ids;
    if (specials && adds_bos) ids += "1, ";
    std::string_view rest(text);
    if (rest.starts_with("<|im_start|>")) {
      ids += "1, ";
      rest.remove_prefix(12);
    }
    for (const char c : rest) ids += fmt::format("{}, ", static_cast<unsigned char>(c));
    if (!ids.empty()) ids.resize(ids.size() - 2);
    return "[" + ids + "]";
  }

  [[nodiscard]] std::string completed(const Value& body) const {
    const std::size_t read = body.find("prompt")->items().size() - (counts ? 0 : 1);
    if (body.find("n_probs") == nullptr)
      return fmt::format(
          R"({{"content": " so", "tokens": [9, 2], "tokens_evaluated": {}, "tokens_predicted": 2,
              "truncated": false, "stop_type": "eos", "stopping_word": ""}})",
          read);
    const std::int64_t wanted = body.find("logit_bias")->items()[0].items()[0].as_int();
    const std::int64_t likeliest = wanted == 50 ? 50 : 49;
    return fmt::format(
        R"({{"tokens_evaluated": {}, "tokens_predicted": 1, "truncated": false,
            "completion_probabilities": [{{"id": {}, "logprob": {}, "top_logprobs":
            [{{"id": {}, "logprob": {}}}]}}]}})",
        read, wanted, -0.01 * static_cast<double>(wanted), likeliest,
        -0.01 * static_cast<double>(likeliest));
  }

  [[nodiscard]] Reply reply(const Request& request) const {
    if (request.url.starts_with("http://nobody"))
      return broken(Reply::End::unreached, "Couldn't connect to server");
    if (locked) return answered(401, R"({"error": {"message": "Invalid API Key"}})");
    if (request.url.find("/foo/") != std::string::npos) return answered(404);
    const auto body = request.body.empty() ? Value() : *base::json::parse(request.body);
    if (request.url.ends_with("/props")) {
      base::Dict answer = props.as_dict();
      if (request.url.starts_with("http://b")) answer.set("build_info", other_build);
      return answered(200, base::json::dump(answer));
    }
    if (request.url.ends_with("/tokenize")) {
      const std::string text = *text_at(body, "content");
      if (dies && text == "x") return answered(400, R"({"error": {"message": "no more"}})");
      return answered(
          200, fmt::format(R"({{"tokens": {}}})", tokenized(text, true_at(body, "add_special"))));
    }
    if (request.url.ends_with("/detokenize"))
      return answered(200, R"({"content": "<|im_start|>"})");
    if (request.url.ends_with("/apply-template"))
      return rendered.empty() ? answered(500, R"({"error": {"message": "no system role"}})")
                              : answered(200, fmt::format(R"({{"prompt": "{}"}})", rendered));
    if (request.url.ends_with("/completion")) return answered(200, completed(body));
    return answered(404);
  }
};

struct Opening {
  base::Result<Opened> opened;
  FakeTransport* transport = nullptr;
};

Opening open(const Playing& playing, LlamaServerOptions options) {
  auto transport = std::make_unique<FakeTransport>(
      [playing](const Request& request, auto) { return Served{playing.reply(request)}; });
  Opening result;
  result.transport = transport.get();
  result.opened =
      open_llama_server(options, std::make_shared<Client>(options.servers, std::move(transport)));
  return result;
}

Opening open(const Playing& playing, bool chat = false, std::vector<std::string> urls = {kUrl}) {
  LlamaServerOptions options;
  options.servers.endpoints = std::move(urls);
  options.chat = chat;
  return open(playing, std::move(options));
}

base::Error fault(const Playing& playing, const std::string& url) {
  const Opening opening = open(playing, false, {url});
  REQUIRE_FALSE(opening.opened);
  return opening.opened.error();
}

std::map<std::size_t, Scored> scored(Backend& backend, std::vector<ScoreItem> items) {
  std::map<std::size_t, Scored> results;
  const auto status = backend.score(items,
                                    [&](std::span<const ScoreResult> some) {
                                      for (const ScoreResult& result : some)
                                        results.emplace(result.id, result.value);
                                    },
                                    {});
  CHECK(status);
  return results;
}

TEST_CASE("a llama-server can score, generate and show token ids, and says what it is") {
  const Opening opening = open({});
  REQUIRE(opening.opened);
  Backend& backend = *opening.opened->backend;
  const Capabilities can = backend.capabilities();
  CHECK(can.loglikelihood);
  CHECK(can.greedy_flag);
  CHECK(can.token_ids);
  CHECK_FALSE(can.chat_messages);
  CHECK(can.context_length == 4095);  // a prompt of 4096 would be refused
  const Identity identity = backend.identity();
  CHECK(identity.backend == "llama-server");
  CHECK(identity.version == "b0-unknown");
  CHECK(identity.model_name == "smollm2-135m-instruct-q8_0");
  CHECK(true_at(identity.settings, "cache_prompt") == false);
  CHECK(integer_at(identity.settings, "slots") == 1);
  CHECK(number_at(identity.generation_defaults, "temperature") > 0.79);
}

TEST_CASE("a URL with no llama-server behind it says what to do") {
  const base::Error path = fault({}, "http://a/foo");
  CHECK(path.kind == base::ErrorKind::input);
  CHECK(path.text == "http://a/foo/props: HTTP 404; did you mean http://a?");
  const base::Error other = fault({.props = base::Dict()}, "http://a");
  CHECK(other.kind == base::ErrorKind::input);
  CHECK(other.text.find("wanted a llama-server") != std::string::npos);
  const base::Error locked = fault({.locked = true}, "http://a/foo");
  CHECK(locked.kind == base::ErrorKind::input);
  CHECK(locked.text.find("environment variable LLAMA_API_KEY") != std::string::npos);
  const base::Error nobody = fault({}, "http://nobody:8080/v1");
  CHECK(nobody.kind == base::ErrorKind::failed);
  CHECK(nobody.text ==
        "http://nobody:8080/props: Couldn't connect to server; start a llama-server (llama.cpp) "
        "there, correct the URL, or wait for it with patience=SECONDS");
}

TEST_CASE("a slot that the server does not have is refused: it would take another") {
  LlamaServerOptions options;
  options.servers.endpoints = {kUrl};
  options.manner.slot = 0;
  CHECK(open({}, options).opened);
  options.manner.slot = 7;
  const Opening one = open({}, options);
  REQUIRE_FALSE(one.opened);
  CHECK(one.opened.error().kind == base::ErrorKind::usage);
  CHECK(one.opened.error().text ==
        "--model: slot=7: http://a has one slot (its option -np); wanted slot=0");
  Playing four;
  base::Dict props = four.props.as_dict();
  props.set("total_slots", 4);
  four.props = props;
  const Opening more = open(four, options);
  REQUIRE_FALSE(more.opened);
  CHECK(more.opened.error().text.ends_with("has 4 slots (its option -np); wanted one from 0 to 3"));
  options.manner.slot = 3;
  CHECK(open(four, options).opened);
}

TEST_CASE("the prefix token is the server's BOS even where it is not added") {
  const Opening opening = open({});
  REQUIRE(opening.opened);
  const core::Tokenizer& tokenizer = opening.opened->backend->tokenizer();
  CHECK(tokenizer.prefix_token() == 1);
  CHECK(tokenizer.prefix_text() == "<|im_start|>");
  CHECK(tokenizer.end_text() == "<|im_end|>");
  CHECK(tokenizer.encode("ab", true) == std::vector<Token>{'a', 'b'});
}

TEST_CASE("a log-likelihood is the sum over a request a token, one slot's worth at a time") {
  const Opening opening = open({});
  REQUIRE(opening.opened);
  auto results = scored(*opening.opened->backend,
                        {{7, {10, 20, 50, 50}, 2}, {8, {10, 60}, 1}, {9, {10, 50, 60}, 1}});
  REQUIRE(results.size() == 3);
  for (const auto& [id, value] : results)
    REQUIRE_MESSAGE(value, (value ? "" : value.error().reason));
  CHECK(results.at(7)->sum == doctest::Approx(-1.0));
  CHECK(results.at(7)->greedy);
  CHECK(results.at(8)->sum == doctest::Approx(-0.6));
  CHECK_FALSE(results.at(8)->greedy);
  CHECK(results.at(9)->sum == doctest::Approx(-1.1));
  CHECK_FALSE(results.at(9)->greedy);
  CHECK(opening.transport->most_in_flight == 1);
}

TEST_CASE("a server that reads less than was sent fails each question by name") {
  const Opening opening = open({.counts = false});
  REQUIRE(opening.opened);
  const auto results = scored(*opening.opened->backend, {{7, {10, 20, 50}, 2}});
  REQUIRE(results.size() == 1);
  REQUIRE_FALSE(results.at(7));
  const std::string& reason = results.at(7).error().reason;
  CHECK(reason.substr(0, reason.find(':')) == "silent truncation");
}

TEST_CASE("no new token is asked for: none is given, whatever the server says") {
  const Opening opening = open({});
  REQUIRE(opening.opened);
  const core::GenerationSettings none = test_cases::up_to(0), some = test_cases::up_to(5);
  std::map<std::size_t, std::string> texts;
  const std::vector<GenerateItem> items{{1, {10}, &none, 0}, {2, {10}, &some, 0}};
  CHECK(opening.opened->backend->generate(items,
                                          [&](std::span<const GenerateResult> results) {
                                            for (const GenerateResult& result : results)
                                              texts[result.id] = result.value->text;
                                          },
                                          {}));
  CHECK(texts[1] == "");
  CHECK(texts[2] == " so");
}

TEST_CASE("a tokenizer that loses its server says so before anything is scored") {
  const Opening opening = open({.dies = true});
  REQUIRE(opening.opened);
  Backend& backend = *opening.opened->backend;
  CHECK(backend.tokenizer().encode("x", false).empty());
  CHECK_FALSE(backend.tokenizer().status());
  const auto status = backend.score({}, [](auto) {}, {});
  REQUIRE_FALSE(status);
  CHECK(status.error().text.find("no more") != std::string::npos);
}

TEST_CASE("servers of one model must be alike") {
  CHECK(open({.other_build = "b0-unknown"}, false, {kUrl, "http://b"}).opened);
  const Opening differ = open({.other_build = "b9"}, false, {kUrl, "http://b"});
  REQUIRE_FALSE(differ.opened);
  CHECK(differ.opened.error().text.find("servers differ: http://a is b0-unknown") !=
        std::string::npos);
}

TEST_CASE("a conversation is tried on the server's template before a run") {
  const auto warning = [](const Playing& playing) {
    const Opening opening = open(playing, true);
    REQUIRE(opening.opened);
    CHECK(opening.opened->backend->capabilities().chat_messages);
    CHECK_FALSE(opening.opened->backend->capabilities().loglikelihood);
    const auto& warnings = opening.opened->warnings;
    return warnings.empty() ? std::string()
                            : warnings[0].text.substr(0, warnings[0].text.find(':'));
  };
  CHECK(warning({}).empty());
  CHECK(warning({.rendered = ""}) == "lost system message");
  CHECK(warning({.rendered = "[user]Tare asks as a user.[bot]"}) == "lost system message");
  CHECK(warning({.rendered = "Tare asks for a system message. Tare asks as a user."}) ==
        "missing chat template");
  CHECK(warning({.rendered = "<|im_start|>[s]Tare asks for a system message.Tare asks as a user.",
                 .adds_bos = true}) == "double BOS");
}

}  // namespace
}  // namespace tare::backend::http
