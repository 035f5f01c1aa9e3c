#include "text/chat.h"

#include <doctest/doctest.h>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "support/chat_case.h"
#include "support/support.h"

namespace tare::text {
namespace {

using base::Value;

/// As chat_cases.py writes it: how the text begins to hash, or that there is none.
std::string digest(const Value& outcome) {
  const Value* output = outcome.find("output");
  if (output == nullptr) return "error";
  const char* mark = outcome.find("system_dropped")->truthy() ? "s" : "";
  return mark + base::sha256_hex(output->as_string()).substr(0, 16);
}

/// The number of conversations that were rendered.
std::size_t check_template(const std::string& source, const Value& conversations,
                           const Value& wanted) {
  std::size_t rendered = 0;
  for (std::size_t i = 0; i < wanted.items().size(); ++i) {
    CAPTURE(i);
    const Value outcome = test::chat_outcome(source, conversations.items()[i]);
    CAPTURE(base::json::dump(outcome));
    CHECK(digest(outcome) == wanted.items()[i].as_string());
    if (outcome.find("output") != nullptr) ++rendered;
  }
  return rendered;
}

}  // namespace

TEST_CASE("conversations come out as transformers renders them") {
  const Value file = test::load_cases("text/chat.json");
  const base::List& conversations = file.find("conversations")->items();
  for (const Value& entry : file.find("templates")->items()) {
    const std::string& name = entry.find("name")->as_string();
    CAPTURE(name);
    const base::List& wanted = entry.find("rendered")->items();
    REQUIRE(wanted.size() == conversations.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      CAPTURE(i);
      const Value found = test::chat_outcome(entry.find("template")->as_string(), conversations[i]);
      CAPTURE(base::json::dump(found));
      if (wanted[i].find("error") != nullptr) {
        CHECK(found.find("error") != nullptr);
      } else {
        CHECK(base::json::dump(found) == base::json::dump(wanted[i]));
      }
    }
  }
}

TEST_CASE("templates of published models render as under transformers") {
  const auto folder = test::template_folder();
  if (!folder) return test::skip("chat templates (the sources of llama.cpp)");
  const Value file = test::load_cases("text/chat_templates.json");
  std::size_t rendered = 0;
  for (const Value& entry : file.find("templates")->items()) {
    const std::string& name = entry.find("template")->as_string();
    CAPTURE(name);
    const auto source = base::read_file(*folder / name);
    REQUIRE(source.has_value());
    REQUIRE(base::sha256_hex(*source) == entry.find("sha256")->as_string());
    rendered += check_template(*source, *file.find("conversations"), *entry.find("rendered"));
  }
  CHECK(rendered >= 2500);
}

TEST_CASE("a chat template that cannot be used is refused with the reason") {
  const auto fault = [](const std::string& source, ChatEnd end, ChatSettings settings = {}) {
    const auto parsed = ChatTemplate::parse(source, std::move(settings));
    if (!parsed) return parsed.error().text;
    const auto rendered = parsed->render({{"user", "Q"}, {"assistant", "It is"}}, end);
    return rendered ? rendered->text : rendered.error().text;
  };
  CHECK(fault("a\n{% if %}", ChatEnd::header) ==
        "chat template line 2: Expected an expression, got 'end of statement block'");
  CHECK(fault("{{ raise_exception('two turns') }}", ChatEnd::header) ==
        "chat template line 1: two turns");
  CHECK(fault("{{ strftime_now('%Y') }}", ChatEnd::header) ==
        "chat template line 1: strftime_now() needs a clock, and this rendering has none");
  CHECK(fault("{{ messages[0].content }}", ChatEnd::message) ==
        "chat template: it leaves out or changes the start of the answer (gen_prefix 'It is'), "
        "wanted the text as it is; use another template");
  CHECK(fault("x", ChatEnd::message) ==
        "chat template: it never reads the content of a message, so none can be continued");
  const auto parsed = ChatTemplate::parse("x", {});
  REQUIRE(parsed);
  CHECK(parsed->render({}, ChatEnd::header).error().text ==
        "chat template: the conversation is empty, wanted a message");
}

}  // namespace tare::text
