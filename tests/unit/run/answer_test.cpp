#include "run/answer.h"

#include <doctest/doctest.h>

#include <vector>

namespace tare::run {

// Expected values: lm-eval 0.4.13, models/utils.py postprocess_generated_text.
TEST_CASE("an answer is cut at each stop string in turn and otherwise left alone") {
  const std::vector<std::string> until{"\n\n", "Question:"};
  CHECK(answer_text(" 42\n\nQuestion: 7", until, "") == " 42");
  CHECK(answer_text(" 42 Question: 7\n\n", until, "") == " 42 ");
  CHECK(answer_text(" 42 \n", until, "") == " 42 \n");
  CHECK(answer_text("", until, "").empty());
  CHECK(answer_text("text", {}, "") == "text");
  const std::vector<std::string> with_empty{"", "x"};
  CHECK(answer_text("taxi", with_empty, "") == "ta");
}

TEST_CASE("thinking goes before stop strings are looked for") {
  const std::vector<std::string> until{"\n\n"};
  CHECK(answer_text("a\n\nb</think>\n\n c\n\nd", until, "</think>") == "c");
  CHECK(answer_text("a</think>b</think> c", until, "</think>") == "c");
  CHECK(answer_text("  no thought", until, "</think>") == "no thought");
}

}  // namespace tare::run
