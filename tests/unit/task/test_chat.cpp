#include <doctest/doctest.h>

#include "cases.h"
#include "support/chat_case.h"

namespace tare::test {
namespace {

using base::List;
using base::Value;

text::ChatRenderer renderer(const std::string& source, const Value& tokens) {
  text::ChatSettings settings;
  settings.variables = tokens;
  settings.now = chat_clock;
  auto parsed = text::ChatTemplate::parse(source, std::move(settings));
  REQUIRE(parsed.has_value());
  return [chat = std::move(*parsed)](const auto& messages, text::ChatEnd end) {
    return chat.render(messages, end);
  };
}

task::BuildOptions options_of(const Value& test, const Value& file) {
  task::BuildOptions options;
  const Value given = at(test, "options");
  const std::string name = at(test, "template").as_string();
  options.chat = renderer(at(at(file, "templates"), name).as_string(), at(file, "tokens"));
  if (const Value* system = given.find("system")) options.system_instruction = system->as_string();
  const Value* multiturn = given.find("multiturn");
  options.fewshot_as_multiturn = multiturn == nullptr || multiturn->as_bool();
  return options;
}

base::Result<core::BuiltTask> build_case(const Value& test, const Value& file) {
  const TempDir folder;
  const auto config = task::load_task(folder.write("t.yaml", at(test, "yaml").as_string()));
  REQUIRE_MESSAGE(config.has_value(), config.error().text);
  return task::build(*config, dataset_of(at(file, "data")), options_of(test, file));
}

Value requests_value(const core::BuiltTask& built) {
  List list;
  for (const core::Request& request : built.requests)
    list.push_back(List{request.document, request.index, request.context, request.continuation});
  return list;
}

}  // namespace

TEST_CASE("under a chat template tasks ask what lm-eval asks") {
  const Value file = load_cases("task/chat.json");
  REQUIRE(at(file, "cases").items().size() > 20);
  for (const Value& test : at(file, "cases").items()) {
    const std::string name = at(test, "name").as_string();
    CAPTURE(name);
    const auto built = build_case(test, file);
    REQUIRE_MESSAGE(built.has_value(), built.error().text);
    CHECK_EQ(dumped(requests_value(*built)), dumped(at(test, "requests")));
    CHECK_EQ(built->warnings.empty(), at(test, "template") != Value("no system"));
  }
}

TEST_CASE("prompts that went without their system message are counted") {
  const Value file = load_cases("task/chat.json");
  for (const Value& test : at(file, "cases").items()) {
    if (at(test, "name") != Value("several inputs without their system message")) continue;
    const auto built = build_case(test, file);
    REQUIRE(built.has_value());
    REQUIRE_EQ(built->warnings.size(), 1);
    CHECK_EQ(built->warnings[0].code, "chat-system-dropped");
    CHECK_EQ(built->warnings[0].count, 4);
    CHECK_EQ(
        built->warnings[0].text,
        "task t: the chat template refused the system message of 4 prompts, which went without "
        "it; put the text into the task or use another template");
    return;
  }
  FAIL("no such case");
}

TEST_CASE("an error of the template names the document") {
  const TempDir folder;
  const auto config = task::load_task(folder.write(
      "t.yaml",
      "task: t\ndataset_path: json\ntest_split: test\ndoc_to_text: q\ndoc_to_target: q\n"));
  REQUIRE(config.has_value());
  task::BuildOptions options;
  options.chat = renderer("{{ raise_exception('no') }}", base::Dict{});
  base::Dict row;
  row.set("q", "Q");
  base::Dict splits;
  splits.set("test", List{row});
  const auto built = task::build(*config, dataset_of(splits), options);
  REQUIRE_FALSE(built.has_value());
  CHECK_EQ(built.error().text, "task t: prompt: document 0: chat template line 1: no");
}

}  // namespace tare::test
