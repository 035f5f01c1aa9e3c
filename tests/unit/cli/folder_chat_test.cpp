#include "cli/folder_chat.h"

#include <doctest/doctest.h>

#include "support/support.h"

namespace tare::cli {
namespace {

using Texts = std::map<std::string, std::string>;

TEST_CASE("a folder's templates and special tokens, however they are written") {
  const test::TempDir dir;
  CHECK(read_folder_chat(dir.path())->templates.empty());
  dir.write("tokenizer_config.json",
            R"({"chat_template": "{{one}}", "bos_token": "<s>",
                "eos_token": {"content": "</s>", "lstrip": false}, "pad_token": null})");
  const auto one = read_folder_chat(dir.path());
  REQUIRE(one);
  CHECK(one->templates == Texts{{"default", "{{one}}"}});
  CHECK(one->special_tokens == Texts{{"bos_token", "<s>"}, {"eos_token", "</s>"}});
}

TEST_CASE("several templates keep their names") {
  const test::TempDir dir;
  dir.write("tokenizer_config.json",
            R"({"chat_template": [{"name": "default", "template": "{{a}}"},
                                  {"name": "tool_use", "template": "{{b}}"}, {"name": 1}]})");
  CHECK(read_folder_chat(dir.path())->templates ==
        Texts{{"default", "{{a}}"}, {"tool_use", "{{b}}"}});
}

TEST_CASE("a file of its own goes over the configuration") {
  const test::TempDir dir;
  dir.write("tokenizer_config.json", R"({"chat_template": "{{old}}", "bos_token": "<s>"})");
  dir.write("chat_template.jinja", "{{new}}\n");
  const auto source = read_folder_chat(dir.path());
  REQUIRE(source);
  CHECK(source->templates == Texts{{"default", "{{new}}\n"}});
  CHECK(source->special_tokens == Texts{{"bos_token", "<s>"}});
}

TEST_CASE("a broken configuration is an error that names it") {
  const test::TempDir dir;
  const auto file = dir.write("tokenizer_config.json", "{");
  const auto source = read_folder_chat(dir.path());
  REQUIRE_FALSE(source);
  CHECK(source.error().text.starts_with(file.string() + ": "));
}

}  // namespace
}  // namespace tare::cli
