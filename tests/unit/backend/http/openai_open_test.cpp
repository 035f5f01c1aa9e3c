#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string_view>

#include "backend/http/fields.h"
#include "backend/http/openai.h"
#include "base/json.h"
#include "fake_transport.h"
#include "support/support.h"

using namespace tare;
using namespace tare::backend;
using namespace tare::backend::http;
using base::Value;

namespace {

constexpr const char* kText = R"({"choices": [{"text": " P", "finish_reason": "length"}]})";

/// A server that has OpenAI's interface under /v1.
struct Playing {
  bool lists = true;        ///< its models
  bool native = false;      ///< has models and completions of its own kind at its root, as
                            ///< llama-server does
  bool everywhere = false;  ///< the interface, at its root too
  long text_status = 200;
  Value props{};  ///< of a llama-server

  [[nodiscard]] Reply reply(const Request& request) const {
    const std::string_view url = request.url;
    if (url.starts_with("http://nobody"))
      return broken(Reply::End::unreached, "Couldn't connect to server");
    const bool here = everywhere || url.find("/v1/") != std::string_view::npos;
    if (url.ends_with("/props") && props.is_dict()) return answered(200, base::json::dump(props));
    if (url.ends_with("/models") && url.find("/v2/") == std::string_view::npos && (here || native))
      return lists ? answered(200, R"({"data": [{"id": "m"}]})") : answered(404);
    if (!url.ends_with("/completions")) return answered(404);
    if (!here) return native ? answered(200, R"({"content": " P"})") : answered(404);
    return text_status == 200 ? answered(200, kText) : answered(text_status);
  }
};

struct Opening {
  base::Result<Opened> opened;
  std::vector<std::string> asked;
};

Opening open(const Playing& playing, OpenAiOptions options) {
  auto transport = std::make_unique<FakeTransport>(
      [playing](const Request& request, auto) { return Served{playing.reply(request)}; });
  const FakeTransport& fake = *transport;
  auto client = std::make_shared<Client>(options.servers, std::move(transport));
  Opening result;
  result.opened = open_openai(std::move(options), client);
  for (const auto& asked : fake.asked) result.asked.push_back(asked.url);
  return result;
}

Opening open(const Playing& playing, const std::string& url, const std::string& model = "",
             bool chat = false) {
  OpenAiOptions options;
  options.servers.endpoints = {url};
  options.model = model;
  options.chat = chat;
  return open(playing, std::move(options));
}

base::Error fault(const Opening& opening) {
  REQUIRE_FALSE(opening.opened);
  return opening.opened.error();
}

}  // namespace

TEST_CASE("openai: a URL without /v1 is found out before any work") {
  for (const bool chat : {false, true}) {
    const std::string path = chat ? "/chat/completions" : "/completions";
    CHECK(fault(open({}, "http://a", "", chat)).text ==
          "http://a/models: HTTP 404; did you mean http://a/v1?");
    CHECK(fault(open({}, "http://a", "m", chat)).text ==
          fmt::format("http://a{}: HTTP 404; did you mean http://a/v1?", path));
    CHECK(fault(open({.native = true}, "http://a", "", chat)).text ==
          fmt::format("http://a{}: no choices in the answer; did you mean http://a/v1?", path));
    CHECK(fault(open({}, "http://a/v2/x", "", chat)).text ==
          "http://a/v2/x/models: HTTP 404; did you mean http://a/v1?");
  }
  CHECK(fault(open({}, "http://a")).kind == base::ErrorKind::input);
}

TEST_CASE("openai: where no URL is known to be better, it is said what one is for") {
  const base::Error nothing = fault(open({.lists = false}, "http://a/v2"));
  CHECK(nothing.kind == base::ErrorKind::input);
  CHECK(nothing.text ==
        "http://a/v2/models: HTTP 404; wanted a URL with OpenAI's interface behind it, as "
        "http://HOST:PORT/v1, and a model that it has (model=NAME where it lists none)");
  const base::Error chats = fault(open({.text_status = 404}, "http://a/v1"));
  CHECK(chats.text.starts_with("http://a/v1/completions: HTTP 404; wanted a URL"));
}

TEST_CASE("openai: a text is asked for only where the place is in doubt") {
  const auto texts = [](const Opening& opening) {
    REQUIRE(opening.opened);
    return std::ranges::count_if(
        opening.asked, [](const std::string& url) { return url.ends_with("/chat/completions"); });
  };
  CHECK(texts(open({}, "http://a/v1", "", true)) == 0);
  CHECK(texts(open({.everywhere = true}, "http://a", "", true)) == 1);
  CHECK(texts(open({.lists = false}, "http://a/v1", "m", true)) == 1);
  // A server that refuses a text so short, or is in trouble, is there.
  CHECK(texts(open({.everywhere = true, .text_status = 400}, "http://a", "", true)) == 1);
  CHECK(open({.everywhere = true, .text_status = 500}, "http://a", "", true).opened);
}

TEST_CASE("openai: a list of models for everybody does not hide that a key is wanted") {
  const base::Error locked =
      fault(open({.everywhere = true, .text_status = 401}, "http://a", "", true));
  CHECK(locked.kind == base::ErrorKind::input);
  CHECK(locked.text.find("environment variable OPENAI_API_KEY") != std::string::npos);
}

TEST_CASE("openai: a server that is not there: what to do, and waited for if it is said") {
  const base::Error absent = fault(open({}, "http://nobody/v1"));
  CHECK(absent.kind == base::ErrorKind::failed);
  CHECK(absent.text ==
        "http://nobody/v1: Couldn't connect to server; start a server with OpenAI's interface "
        "there, correct the URL, or wait for it with patience=SECONDS");
  OpenAiOptions options;
  options.servers.endpoints = {"http://nobody/v1"};
  options.servers.limits.start_patience = std::chrono::seconds(20);
  CHECK(fault(open({}, options)).text ==
        "http://nobody/v1: Couldn't connect to server; asked for 20 s; start a server with "
        "OpenAI's interface there, or correct the URL");
  options.servers.endpoints.emplace_back("http://a/v1");
  const Opening one = open({}, options);
  REQUIRE(one.opened);
  REQUIRE_FALSE(one.opened->warnings.empty());
  CHECK(one.opened->warnings[0].text ==
        "not there at the start, asked again later: http://nobody/v1: Couldn't connect to server");
}

TEST_CASE("openai: a llama-server tells by what it generates where a request is silent") {
  const Value props = *test::load_cases("backend/llama_server.json").find("props");
  const Opening opening = open({.props = props}, "http://a/v1", "", true);
  REQUIRE(opening.opened);
  const Identity identity = opening.opened->backend->identity();
  CHECK(identity.version == "llama-server b0-unknown");
  CHECK(integer_at(identity.generation_defaults, "top_k") == 40);
  const Opening other = open({}, "http://a/v1", "", true);
  REQUIRE(other.opened);
  CHECK(other.opened->backend->identity().generation_defaults.is_none());
}
