#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "backend/byte_tokenizer.h"
#include "backend/http/dialect.h"
#include "fake_transport.h"

using namespace tare;
using namespace tare::backend;
using namespace tare::backend::http;

namespace {

/// Bytes as tokens, from a server that may have gone away.
class Remote final : public core::Tokenizer {
 public:
  [[nodiscard]] std::vector<core::Token> encode(std::string_view text, bool) const override {
    return bytes_.encode(text, false);
  }
  [[nodiscard]] std::optional<core::Token> prefix_token() const override { return std::nullopt; }
  [[nodiscard]] std::string prefix_text() const override { return ""; }
  [[nodiscard]] std::string decode(std::span<const core::Token> tokens, bool) const override {
    return bytes_.decode(tokens, false);
  }
  [[nodiscard]] std::string end_text() const override { return ""; }
  [[nodiscard]] base::Status status() const override { return trouble; }
  base::Status trouble;

 private:
  ByteTokenizer bytes_;
};

/// One call a scored token: the answer is {"n": sum}; "u" instead of n for what cannot be read.
class TokenWise final : public Dialect {
 public:
  [[nodiscard]] Capabilities capabilities() const override { return {}; }
  [[nodiscard]] Identity identity() const override { return {}; }
  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return remote; }
  [[nodiscard]] std::size_t score_calls(const ScoreItem& item) const override {
    return item.tokens.size() - item.first_scored;
  }
  [[nodiscard]] Call score_call(const ScoreItem& item, std::size_t part) const override {
    return {"/s", fmt::format("{} {}", item.id, part)};
  }
  [[nodiscard]] Scored read_score(const ScoreItem& item, std::size_t part,
                                  std::string_view body) const override {
    CHECK(body == fmt::format("{{{} {}}}", item.id, part));
    if (item.id == 3 && part == 1) return tl::unexpected(core::RequestFailure{"unreadable"});
    return core::LogLikelihood{-static_cast<double>(1 + part), item.id != 2 || part != 0};
  }
  [[nodiscard]] Call generate_call(const GenerateItem& item) const override {
    return {"/g", fmt::format("{}", item.id)};
  }
  [[nodiscard]] Continued read_generated(const GenerateItem&,
                                         std::string_view body) const override {
    return core::Generated{std::string(body), {}, core::FinishReason::length};
  }
  Remote remote;
};

/// Answers with what was sent, in braces; the later the sooner.
std::shared_ptr<Client> echoing_client() {
  auto left = std::make_shared<int>(1000);
  return std::make_shared<Client>(
      Servers{{"http://a"}, "", "", {}},
      std::make_unique<FakeTransport>([left](const Request& request, std::chrono::milliseconds) {
        if (request.body == "5 0") return Served{answered(400)};
        return Served{answered(200, "{" + request.body + "}"),
                      std::chrono::milliseconds((*left)--)};
      }));
}

}  // namespace

TEST_CASE("http backend: an item of several calls has one result, when all have ended") {
  const auto backend = make_backend(echoing_client(), std::make_shared<TokenWise>());
  const std::vector<ScoreItem> items{{1, {1, 2, 3, 4}, 1},
                                     {2, {1, 2, 3}, 1},
                                     {3, {1, 2, 3}, 1},
                                     {5, {1, 2, 3}, 1},
                                     {8, {1, 2}, 1}};
  std::map<std::size_t, Scored> results;
  const auto sink = [&](std::span<const ScoreResult> some) {
    for (const ScoreResult& result : some) CHECK(results.emplace(result.id, result.value).second);
  };
  REQUIRE(backend->score(items, sink, {}));
  REQUIRE(results.size() == 5);
  CHECK(results.at(1)->sum == -6);
  CHECK(results.at(1)->greedy);
  CHECK(results.at(2)->sum == -3);
  CHECK_FALSE(results.at(2)->greedy);
  CHECK(results.at(3).error().reason == "unreadable");
  CHECK(results.at(5).error().reason == "HTTP 400");
  CHECK(results.at(8)->sum == -1);
}

TEST_CASE("http backend: prompts are continued, each once") {
  const auto backend = make_backend(echoing_client(), std::make_shared<TokenWise>());
  const core::GenerationSettings settings;
  std::vector<GenerateItem> items;
  for (std::size_t i = 0; i < 100; ++i) items.push_back({i, {1}, &settings, 0});
  std::map<std::size_t, std::string> texts;
  const auto sink = [&](std::span<const GenerateResult> some) {
    for (const GenerateResult& result : some)
      CHECK(texts.emplace(result.id, result.value->text).second);
  };
  REQUIRE(backend->generate(items, sink, {}));
  REQUIRE(texts.size() == 100);
  CHECK(texts.at(42) == "{42}");
}

TEST_CASE("http backend: nothing is asked where the tokenizer has failed") {
  const auto dialect = std::make_shared<TokenWise>();
  dialect->remote.trouble = base::work_failed("gone");
  const auto backend = make_backend(echoing_client(), dialect);
  const std::vector<ScoreItem> items{{1, {1, 2}, 1}};
  CHECK(backend->score(items, [](auto) { FAIL("asked"); }, {}).error().text == "gone");
}
