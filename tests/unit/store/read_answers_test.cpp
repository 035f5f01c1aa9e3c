#include "store/read_answers.h"

#include <doctest/doctest.h>

#include "store/results.h"
#include "support/support.h"
#include "unit/store/records.h"

namespace tare {
namespace {

std::vector<store::SampledAnswer> read(const std::string& lines) {
  const test::TempDir folder;
  folder.write("samples_t.jsonl", lines);
  auto answers = store::read_answers(store::own_files(folder.path()), "t");
  REQUIRE_MESSAGE(answers.has_value(), answers.error().text);
  return std::move(*answers);
}

}  // namespace

TEST_CASE("choices come back as the number of the likeliest, with all digits") {
  const auto answers = read(store::samples_jsonl(test::small_run().tasks[0]));
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].doc_id == 0);
  CHECK(answers[0].filter == "none");
  CHECK(answers[0].prompt == "Q: Größe");
  CHECK_FALSE(answers[0].generated);
  CHECK(answers[0].chosen == "1");
  CHECK(answers[0].outputs == std::vector<std::string>{"-1.25", "-0.1"});
  CHECK(answers[0].metrics.size() == 2);
  CHECK(answers[0].document_hash.size() == 64);
  // Its second request failed: the likeliest of the others, and no score.
  CHECK(answers[1].chosen == "0");
  CHECK(answers[1].metrics.empty());
}

TEST_CASE("one scored text is its argmax flag") {
  const auto answers = read(store::samples_jsonl(test::small_run().tasks[1]));
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].chosen == "False");
  CHECK(answers[1].chosen == "True");
  CHECK(answers[1].outputs == std::vector<std::string>{"-2.5"});
}

TEST_CASE("generated text as lm-eval writes it, with each filter's answer") {
  const auto answers = read(
      R"({"doc_id": 3, "doc": {}, "target": "7", "arguments": {"gen_args_0": {"arg_0": "2+5?", )"
      R"("arg_1": {"until": ["\n"]}}}, "resps": [["It is 7.", "Or 8."]], "filtered_resps": ["7"], )"
      R"("filter": "flexible-extract", "metrics": ["exact_match"], "doc_hash": "d", )"
      R"("prompt_hash": "p", "target_hash": "t", "exact_match": 1.0})"
      "\n");
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].generated);
  CHECK(answers[0].chosen == "7");
  CHECK(answers[0].outputs == std::vector<std::string>{"It is 7.", "Or 8."});
  CHECK(answers[0].target == "7");
  CHECK(answers[0].prompt_hash == "p");
}

TEST_CASE("a sum without a flag is a text of which nothing was chosen") {
  const auto answers =
      read(R"({"doc_id": 0, "arguments": {"gen_args_0": {"arg_0": "words"}}, "resps": [["-4.5"]], )"
           R"("filter": "none", "metrics": []})");
  REQUIRE(answers.size() == 1);
  CHECK_FALSE(answers[0].generated);
  CHECK(answers[0].chosen.empty());
  CHECK(answers[0].outputs == std::vector<std::string>{"-4.5"});
}

TEST_CASE("a line that is no sample is named") {
  const test::TempDir folder;
  folder.write("samples_t.jsonl", "{}\n");
  const auto answers = store::read_answers(store::own_files(folder.path()), "t");
  REQUIRE_FALSE(answers.has_value());
  CHECK(answers.error().text.find("samples_t.jsonl:1: is no sample") != std::string::npos);
}

}  // namespace tare
