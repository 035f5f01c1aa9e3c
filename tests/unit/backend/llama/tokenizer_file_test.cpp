#include "backend/llama/tokenizer_file.h"

#include <doctest/doctest.h>

#include "models.h"
#include "support/support.h"

namespace tare::backend::llama {

TEST_CASE("a vocabulary by itself gives the tokens and the length of the whole model") {
  const auto path = test::model_file("q4_1");
  if (!path) return;
  const auto file = open_tokenizer(*path);
  REQUIRE_MESSAGE(file.has_value(), file.error().text);
  Options options;
  options.path = *path;
  options.threads = 1;
  const auto model = test::open_model(options);
  CHECK(file->context_length == model->capabilities().context_length);
  CHECK(file->context_length > 0);
  CHECK(file->tokenizer->prefix_token() == model->tokenizer().prefix_token());
  for (const char* text : {"", "Question: 2+2=", " naïve 漢字 😀\n\n", "<|im_start|>user\nHi"})
    for (const bool specials : {false, true}) {
      CAPTURE(text);
      CHECK(file->tokenizer->encode(text, specials) == model->tokenizer().encode(text, specials));
    }
}

TEST_CASE("a file that is no model gives no tokenizer") {
  const test::TempDir folder;
  const auto file = open_tokenizer(folder.write("m.gguf", "this is no model at all, only text"));
  REQUIRE(!file.has_value());
  CHECK(file.error().text.find("not a GGUF file") != std::string::npos);
}

}  // namespace tare::backend::llama
