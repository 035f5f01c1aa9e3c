#include "backend/http/ollama_wire.h"

#include <doctest/doctest.h>

#include "support/support.h"
#include "wire_cases.h"

namespace tare::backend::http::ollama {
namespace {

using base::Value;
namespace cases = test_cases;

Value file() {
  return test::load_cases("backend/ollama.json");
}

std::optional<std::size_t> size_at(const Value& entry, std::string_view key) {
  const auto number = integer_at(entry, key);
  return number ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

Asked asked_of(const Value& entry) {
  const Value asked = dict_at(entry, "asked");
  Asked result;
  result.bytes = *size_at(asked, "bytes");
  result.num_ctx = *size_at(asked, "num_ctx");
  result.raw = asked.find("raw") == nullptr;
  result.tokens = size_at(asked, "tokens");
  result.max_tokens = size_at(asked, "max_tokens").value_or(0);
  return result;
}

TEST_CASE("what /api/show tells of a model") {
  const auto model = read_model(*file().find("show"));
  REQUIRE(model);
  CHECK(model->architecture == "llama");
  CHECK(model->quantization == "Q4_0");
  CHECK(model->parameter_size == "8.0B");
  CHECK(model->context_length == 8192);
  CHECK(model->chat_template.starts_with("{{ .System }}"));
  CHECK(model->weights_sha256 ==
        "200765e1283640ffbd013184bf496e261032fa75b99498a9613be4e94d63ad52");
  const auto defaults =
      base::json::parse(R"({"num_ctx": 4096, "stop": ["</s>", "USER:"], "temperature": 0.6})");
  CHECK(model->defaults == *defaults);
}

TEST_CASE("another server is no Ollama") {
  const Value empty{base::Dict()};
  CHECK_FALSE(read_model(empty));
  CHECK_FALSE(read_version(empty));
  CHECK(read_version(*base::json::parse(R"({"version": "0.5.1"})")) == "0.5.1");
}

TEST_CASE("digests, hashes and templates of ollama.json") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "digests"))
    CHECK(digest_of(*all.find("tags"), entry.items()[0].as_string()) ==
          entry.items()[1].as_string());
  for (const Value& entry : cases::list_in(all, "hashes"))
    CHECK(weights_hash(entry.items()[0].as_string()) == entry.items()[1].as_string());
  for (const Value& entry : cases::list_in(all, "templates"))
    CHECK(http::name_of(fault_in_template(entry.items()[0].as_string())) ==
          entry.items()[1].as_string());
}

TEST_CASE("the context is a power of two that holds the tokens, or what the model knows") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "contexts")) {
    Model model;
    model.context_length = static_cast<std::size_t>(entry.items()[1].as_int());
    CHECK(context_for(static_cast<std::size_t>(entry.items()[0].as_int()), model) ==
          static_cast<std::size_t>(entry.items()[2].as_int()));
  }
}

TEST_CASE("requests to continue a text") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "bodies")) {
    CAPTURE(*text_at(entry, "name"));
    const core::GenerationSettings settings = cases::settings_of(dict_at(entry, "settings"));
    const GenerateItem item{0, {1}, &settings, cases::seed_of(entry)};
    cases::check_body(generate_body("llama3.2", "Hi", item, 2048), *entry.find("body"));
  }
}

TEST_CASE("a request for a conversation holds its messages and never the server's num_ctx") {
  core::GenerationSettings settings;
  settings.parameters = core::GenerationParameters::backend;
  const GenerateItem item{0, {1}, &settings, 0};
  const auto messages = base::json::parse(R"([{"role": "user", "content": "Hi"}])");
  const auto body = base::json::parse(chat_body("llama3.2", *messages, item, 4096));
  REQUIRE(body);
  CHECK(*body->find("messages") == *messages);
  CHECK(body->find("raw") == nullptr);
  CHECK(integer_at(dict_at(*body, "options"), "num_ctx") == 4096);
}

TEST_CASE("answers of /api/generate and /api/chat") {
  const Value all = file();
  for (const Value& entry : cases::list_in(all, "answers"))
    cases::check_generated(read_generated(*entry.find("answer"), asked_of(entry)), entry);
}

}  // namespace
}  // namespace tare::backend::http::ollama
