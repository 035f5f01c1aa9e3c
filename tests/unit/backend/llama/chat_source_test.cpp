#include "backend/llama/chat_source.h"

#include <doctest/doctest.h>

#include "gguf_writer.h"
#include "support/support.h"

namespace tare::backend::llama {
namespace {

using test::GgufWriter;
using Texts = std::map<std::string, std::string>;

base::Result<ChatSource> read(const GgufWriter& writer) {
  const test::TempDir folder;
  return read_chat_source(folder.write("m.gguf", writer.bytes()));
}

TEST_CASE("templates and special tokens are read by name") {
  GgufWriter file;
  file.header(3, 0, 8)
      .text_entry("general.architecture", "llama")
      .texts_entry("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "a"})
      .u32_entry("tokenizer.ggml.bos_token_id", 1)
      .u32_entry("tokenizer.ggml.eos_token_id", 2)
      .u32_entry("tokenizer.ggml.unknown_token_id", 0)
      .text_entry("tokenizer.chat_template.tool_use", "{{ tools }}")
      .text_entry("tokenizer.chat_template", "{{ bos_token }}\n{{ messages }}")
      .text_entry("tokenizer.chat_template.rag", "");
  const auto source = read(file);
  REQUIRE(source.has_value());
  CHECK(source->templates == Texts{{"default", "{{ bos_token }}\n{{ messages }}"},
                                   {"rag", ""},
                                   {"tool_use", "{{ tools }}"}});
  CHECK(source->special_tokens ==
        Texts{{"bos_token", "<s>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}});
}

TEST_CASE("a file without chat has an empty source") {
  const auto source = read(GgufWriter().header(3, 0, 1).text_entry("general.name", "x"));
  REQUIRE(source.has_value());
  CHECK(source->templates.empty());
  CHECK(source->special_tokens.empty());
}

TEST_CASE("the plain template wins over one that is named default") {
  GgufWriter before, after;
  before.header(3, 0, 2)
      .text_entry("tokenizer.chat_template.default", "named")
      .text_entry("tokenizer.chat_template", "plain");
  after.header(3, 0, 2)
      .text_entry("tokenizer.chat_template", "plain")
      .text_entry("tokenizer.chat_template.default", "named");
  CHECK(read(before)->templates == Texts{{"default", "plain"}});
  CHECK(read(after)->templates == Texts{{"default", "plain"}});
}

TEST_CASE("entries of another type or outside the vocabulary are as good as missing") {
  GgufWriter file;
  file.header(3, 0, 5)
      .texts_entry("tokenizer.ggml.tokens", {"a", "b"})
      .u32_entry("tokenizer.ggml.bos_token_id", 2)
      .u16_entry("tokenizer.ggml.eos_token_id", 1)
      .u32_entry("tokenizer.ggml.padding_token_id", 1)
      .u32_entry("tokenizer.chat_template", 7);
  const auto source = read(file);
  REQUIRE(source.has_value());
  CHECK(source->templates.empty());
  CHECK(source->special_tokens == Texts{{"pad_token", "b"}});
  const auto no_list = read(GgufWriter()
                                .header(3, 0, 2)
                                .u32_entry("tokenizer.ggml.tokens", 3)
                                .u32_entry("tokenizer.ggml.bos_token_id", 0));
  CHECK(no_list->special_tokens.empty());
}

TEST_CASE("a file that is not there is an error of one line") {
  const auto source = read_chat_source("none.gguf");
  REQUIRE_FALSE(source.has_value());
  CHECK(source.error().text == "model none.gguf: no such file; wanted a GGUF file");
}

}  // namespace
}  // namespace tare::backend::llama
