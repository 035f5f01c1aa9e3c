#include "backend/http/remote_tokenizer.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/json.h"
#include "fake_transport.h"

using namespace tare;
using namespace tare::backend::http;
using core::ForeseenText;
using core::Token;

namespace {

/// A tokenizer that gives a text's length; texts with a "?" are refused. BOS is 1.
Reply counted(const Request& request) {
  const auto body = base::json::parse(request.body);
  const base::Value* text = body->find("content");
  if (text == nullptr) return answered(200, R"({"content": "<s>"})");
  if (text->as_string().find('?') != std::string::npos) return answered(400);
  std::vector<std::string> ids;
  if (body->find("add_special")->as_bool()) ids.emplace_back("1");
  if (!text->as_string().empty()) ids.push_back(std::to_string(text->as_string().size() + 10));
  return answered(200, fmt::format(R"({{"tokens": [{}]}})", fmt::join(ids, ", ")));
}

struct Opened {
  FakeTransport* transport = nullptr;
  std::shared_ptr<RemoteTokenizer> tokenizer;
};

Opened open_remote(FakeTransport::Server server) {
  Servers servers;
  servers.endpoints = {"http://a/v1"};
  servers.limits.concurrency = 4;
  auto transport = std::make_unique<FakeTransport>(std::move(server));
  Opened opened;
  opened.transport = transport.get();
  auto tokenizer = RemoteTokenizer::open(std::make_shared<Client>(servers, std::move(transport)),
                                         llama_tokenize());
  REQUIRE(tokenizer);
  opened.tokenizer = *tokenizer;
  return opened;
}

Opened open_counting() {
  return open_remote([](const Request& request, auto) { return Served{counted(request)}; });
}

}  // namespace

TEST_CASE("a server's tokenizer: foreseen texts are asked for side by side, each once") {
  const Opened opened = open_counting();
  const RemoteTokenizer& tokenizer = *opened.tokenizer;
  CHECK(tokenizer.prefix_token() == 1);
  REQUIRE(tokenizer.foresight() > 4);
  const std::size_t before = opened.transport->asked.size();
  const std::vector<ForeseenText> texts{{"a", true},   {"a", false},   {"bb", true},   {"bb", true},
                                        {"ccc", true}, {"dddd", true}, {"eeeee", true}};
  tokenizer.foresee(texts);
  CHECK(opened.transport->most_in_flight == 4);
  CHECK(opened.transport->asked.size() - before == 6);
  CHECK(tokenizer.encode("a", true) == std::vector<Token>{1, 11});
  CHECK(tokenizer.encode("a", false) == std::vector<Token>{11});
  CHECK(tokenizer.encode("eeeee", true) == std::vector<Token>{1, 15});
  CHECK(opened.transport->asked.size() - before == 6);
  CHECK(tokenizer.encode("another", false) == std::vector<Token>{17});
  CHECK(opened.transport->asked.size() - before == 7);
  CHECK(tokenizer.status());
}

TEST_CASE("a server's tokenizer: a text that is refused is an error when it is needed") {
  const Opened opened = open_counting();
  const RemoteTokenizer& tokenizer = *opened.tokenizer;
  tokenizer.foresee(std::vector<ForeseenText>{{"why?", true}, {"fine", true}});
  CHECK(tokenizer.status());
  CHECK(tokenizer.encode("fine", true) == std::vector<Token>{1, 14});
  CHECK(tokenizer.encode("why?", true).empty());
  CHECK_FALSE(tokenizer.status());
  CHECK(tokenizer.encode("fine", true).empty());
}

TEST_CASE("a server's tokenizer: a server that goes away while many texts are asked for") {
  auto gone = std::make_shared<bool>(false);
  const Opened opened = open_remote([gone](const Request& request, auto) {
    return Served{*gone ? broken(Reply::End::unreached, "refused") : counted(request)};
  });
  *gone = true;
  opened.tokenizer->foresee(std::vector<ForeseenText>{{"a", true}, {"b", true}});
  REQUIRE_FALSE(opened.tokenizer->status());
  CHECK(opened.tokenizer->status().error().text.find("no server answers") != std::string::npos);
}
