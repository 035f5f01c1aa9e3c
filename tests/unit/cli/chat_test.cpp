#include "cli/chat.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "support/support.h"
#include "unit/backend/llama/gguf_writer.h"

namespace tare::cli {
namespace {

constexpr const char* kTemplate =
    "{{ style | default('plain') }} {{ enable_thinking | default('-') }}"
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}";

struct Opened {
  std::string fault, prompt;
  ChatOptions chat;
};

/// A template of its own, for a model with these arguments.
Opened open(const std::vector<std::pair<std::string, std::string>>& arguments,
            const std::string& source = kTemplate, const std::string& think_end = "</think>") {
  const test::TempDir folder;
  Opened opened;
  opened.chat.apply = true;
  opened.chat.multiturn = true;
  opened.chat.name = folder.write("c.jinja", source).string();
  task::BuildOptions build;
  build.think_end = think_end;
  const auto status = open_chat({"scripted:x", "scripted", "x", arguments}, opened.chat, build);
  if (!status) {
    opened.fault = status.error().text;
    return opened;
  }
  const auto rendered = build.chat({{"user", "Q"}}, text::ChatEnd::header);
  REQUIRE(rendered.has_value());
  CHECK(build.fewshot_as_multiturn);
  opened.prompt = rendered->text;
  return opened;
}

/// The prompt or the fault under a template that a model file holds.
std::string from_model(const test::GgufWriter& file, const std::string& name) {
  const test::TempDir folder;
  const std::string path = folder.write("m.gguf", file.bytes()).string();
  ChatOptions chat;
  chat.apply = true;
  chat.name = name;
  task::BuildOptions build;
  const auto status = open_chat({"gguf:" + path, "gguf", path, {}}, chat, build);
  if (!status) {
    std::string fault = status.error().text;
    if (const auto at = fault.find(path); at != std::string::npos)
      fault.replace(at, path.size(), "m.gguf");
    return fault;
  }
  const auto rendered = build.chat({{"user", "Q"}}, text::ChatEnd::header);
  return rendered ? rendered->text : rendered.error().text;
}

std::vector<std::string> codes(const Opened& opened) {
  std::vector<std::string> codes;
  for (const core::Warning& warning : opened.chat.warnings) codes.push_back(warning.code);
  return codes;
}

}  // namespace

TEST_CASE("the flags of chat") {
  ChatOptions chat;
  REQUIRE(check_chat_options({}, chat));
  CHECK(!chat.apply);
  CHECK(chat.multiturn.is_none());
  REQUIRE(check_chat_options({{"true"}, {}}, chat));
  CHECK(chat.apply);
  CHECK(chat.name.empty());
  CHECK(chat.multiturn == base::Value(true));
  REQUIRE(check_chat_options({{"tool_use"}, {"False"}}, chat));
  CHECK(chat.name == "tool_use");
  CHECK(chat.multiturn == base::Value(false));
  ChatOptions plain;
  REQUIRE(check_chat_options({{"false"}, {"no"}}, plain));
  CHECK(!plain.apply);
  CHECK(plain.multiturn == base::Value(false));
  CHECK(!check_chat_options({{}, {"true"}}, plain));
}

TEST_CASE("model arguments reach the template") {
  CHECK(open({}).prompt == "plain -<user>Q");
  CHECK(open({{"enable_thinking", "False"}}).prompt == "plain False<user>Q");
  CHECK(open({{"enable_thinking", "true"}}).prompt == "plain True<user>Q");
  CHECK(open({{"chat_template_args", R"({"style": "short", "enable_thinking": true})"}}).prompt ==
        "short True<user>Q");
  CHECK(open({{"chat_template_args", "{'style': 'short'}"}}).prompt == "short -<user>Q");
  CHECK(open({{"enable_thinking", "false"}, {"chat_template_args", "{'enable_thinking': True}"}})
            .prompt == "plain False<user>Q");
}

TEST_CASE("a model file's templates are chosen by name") {
  test::GgufWriter file;
  file.header(3, 0, 4)
      .texts_entry("tokenizer.ggml.tokens", {"<s>", "a"})
      .u32_entry("tokenizer.ggml.bos_token_id", 0)
      .text_entry("tokenizer.chat_template.tools", "with tools")
      .text_entry("tokenizer.chat_template", "{{ bos_token }}{{ messages[0].content }}");
  CHECK(from_model(file, "") == "<s>Q");
  CHECK(from_model(file, "default") == "<s>Q");
  CHECK(from_model(file, "tools") == "with tools");
  CHECK(
      from_model(file, "rag") ==
      "--apply-chat-template rag: m.gguf holds no template of that name; choose default or tools, "
      "or name a template file: --apply-chat-template FILE.jinja");
  const test::TempDir folder;
  const auto own = folder.write("own.jinja", "own {{ bos_token }}");
  CHECK(from_model(file, own.string()) == "own <s>");
  test::GgufWriter bare;
  bare.header(3, 0, 1).text_entry("general.name", "x");
  CHECK(from_model(bare, "") ==
        "--apply-chat-template: m.gguf holds no chat template; name a template file: "
        "--apply-chat-template FILE.jinja");
}

TEST_CASE("model arguments of another kind are refused") {
  CHECK(open({{"enable_thinking", "maybe"}}).fault ==
        "--model-args: enable_thinking maybe: wanted true or false");
  CHECK(open({{"chat_template_args", "low"}}).fault ==
        "--model-args: chat_template_args=low: wanted a mapping such as {\"name\": \"value\"}");
  CHECK(open({{"chat_template_args", "{'messages': 1}"}}).fault ==
        "--model-args: chat_template_args: 'messages' is set for each prompt; leave it out");
  CHECK(open({{"enable_thinking", "true"}}, kTemplate, "").fault ==
        "--model-args: enable_thinking=true: the end of the thinking is not told; add "
        "think_end_token=TEXT");
  CHECK(open({}, kTemplate, "128").fault ==
        "--model-args: think_end_token=128: wanted the text of the token, not its number");
}

TEST_CASE("what a template does with its arguments and the clock is told") {
  using Codes = std::vector<std::string>;
  CHECK(codes(open({{"enable_thinking", "false"}})).empty());
  CHECK(codes(open({{"enable_thinking", "false"}}, "x")) == Codes{"chat-argument-unused"});
  const Opened dated = open({}, "{{ strftime_now('%Y') }}");
  CHECK(codes(dated) == Codes{"chat-template-date"});
  CHECK(dated.prompt.size() == 4);
  REQUIRE(dated.chat.used.find("date") != nullptr);
  CHECK(dated.chat.used.find("date")->as_string().size() == 10);  // a day: one like another
  const Opened opened = open({{"enable_thinking", "false"}});
  CHECK(opened.chat.source == base::Value(kTemplate));
  CHECK(base::json::dump(*opened.chat.used.find("variables")) == R"({"enable_thinking": false})");
  CHECK(opened.chat.used.find("date") == nullptr);
}

namespace {

/// The prompt, or the fault, of a chat endpoint.
std::string of_endpoint(std::vector<std::pair<std::string, std::string>> arguments,
                        const std::string& name = "") {
  arguments.emplace_back("endpoint", "chat");
  ChatOptions chat;
  chat.apply = true;
  chat.multiturn = true;
  chat.name = name;
  task::BuildOptions build;
  const auto status = open_chat({"scripted:x", "scripted", "x", arguments}, chat, build);
  if (!status) return status.error().text;
  CHECK(chat.source.is_none());
  CHECK(base::json::dump(chat.used) == R"({"template": "messages"})");
  CHECK(build.fewshot_as_multiturn);
  const auto rendered =
      build.chat({{"system", "S"}, {"user", "Q\n"}, {"assistant", "A"}}, text::ChatEnd::header);
  return rendered ? rendered->text : rendered.error().text;
}

}  // namespace

TEST_CASE("a chat endpoint is given messages, and renders them itself") {
  CHECK(of_endpoint({}) ==
        R"([{"role": "system", "content": "S"}, {"role": "user", "content": "Q\n"}, )"
        R"({"role": "assistant", "content": "A"}])");
  CHECK(of_endpoint({}, "c.jinja") ==
        "--apply-chat-template c.jinja: with endpoint=chat the server renders prompts by its own "
        "template; wanted --apply-chat-template alone");
  CHECK(of_endpoint({{"enable_thinking", "false"}}) ==
        "--model scripted:x: enable_thinking and chat_template_args do not reach the template of "
        "an endpoint=chat; leave them out, or set them where the server is started");
}

TEST_CASE("a model that is told to think scores no given text") {
  core::BuiltTask task;
  task.name = "t";
  task.output_type = core::OutputType::multiple_choice;
  ChatOptions chat;
  CHECK(check_thinking(chat, task));
  chat.thinks = true;
  CHECK(check_thinking(chat, task).error().text ==
        "task t scores given text, which a model cannot think about first; leave out "
        "enable_thinking=true or choose a task that generates");
  task.output_type = core::OutputType::generate_until;
  CHECK(check_thinking(chat, task));
}

}  // namespace tare::cli
