#include "cli/completion.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using tare::cli::Offers;
using tare::cli::offers;

std::vector<std::string> words_of(const Offers& found) {
  std::vector<std::string> words;
  for (const auto& offer : found.words) words.push_back(offer.word);
  return words;
}

bool has(const Offers& found, const std::string& word) {
  return std::ranges::count(words_of(found), word) == 1;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a command is completed") {
  CHECK(words_of(offers({"qua"})) == Words{"quantize"});
  CHECK(has(offers({""}), "run"));
  CHECK_FALSE(has(offers({""}), "--tasks"));
  CHECK(offers({}).words.empty());
  CHECK(offers({"nothing", "x"}).words.empty());
}

TEST_CASE("flags without a command are those of run") {
  CHECK(words_of(offers({"--overl"})) == Words{"--overlength"});
  CHECK(words_of(offers({"--overlength", "s"})) == Words{"skip"});
}

TEST_CASE("lm-eval's spelling of a flag is understood") {
  CHECK(words_of(offers({"run", "--generation_mode", "to"})) == Words{"token256"});
  CHECK(words_of(offers({"run", "--num_f"})) == Words{"--num-fewshot"});
}

TEST_CASE("choices, also behind a sign of equality") {
  CHECK(words_of(offers({"run", "--mode", ""})) == Words{"pinned", "fast"});
  CHECK(words_of(offers({"run", "--mode=f"})) == Words{"--mode=fast"});
  CHECK(words_of(offers({"run", "--batch-size", ""})) == Words{"auto"});
}

TEST_CASE("other spellings of an option wait for their letters") {
  CHECK_FALSE(has(offers({"run", "--"}), "--output-path"));
  CHECK(words_of(offers({"run", "--output-"})) == Words{"--output-path"});
}

TEST_CASE("what a positional word may be") {
  CHECK(words_of(offers({"ls", "ti"})) == Words{"tiers"});
  CHECK(offers({"show", ""}).folders);
  CHECK(offers({"quantize", "a.gguf", ""}).files);
  CHECK_FALSE(offers({"quantize", "a.gguf", "b.gguf", "F"}).files);
  CHECK(offers({"floor", "a.gguf", "b.gguf", "c"}).files);
}

TEST_CASE("an option's value is no positional word") {
  CHECK(offers({"show", "--against", ""}).folders);
  CHECK(offers({"quantize", "--threads", "2", ""}).files);
  CHECK(has(offers({"show", "--json", "out", ""}), "--against"));
}

TEST_CASE("the parts of a command") {
  CHECK(words_of(offers({"fetch", "m"})) == Words{"model"});
  CHECK(words_of(offers({"fetch", "dataset", "--sp"})) == Words{"--split"});
  CHECK(offers({"fetch", "model", "--sp"}).words.empty());
}

TEST_CASE("models begin with a scheme and go on") {
  const Offers schemes = offers({"run", "--model", "lang"});
  CHECK(words_of(schemes) == Words{"langchain-hf:"});
  CHECK(schemes.open);
  CHECK(offers({"run", "--model", "openai:http"}).words.empty());
}

TEST_CASE("the commands that have a manual page") {
  CHECK(words_of(offers({"man", "flo"})) == Words{"floor"});
}

TEST_CASE("what the shells read") {
  Offers found{{{"a", "one\nline"}, {"b", ""}}, true, false, true};
  CHECK(offers_text(found) == "a\tone line\nb\t\n:files\n:open\n");
}
