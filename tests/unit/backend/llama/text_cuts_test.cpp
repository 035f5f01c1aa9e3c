#include "backend/llama/text_cuts.h"

#include <doctest/doctest.h>

namespace tare::backend::llama {
namespace {

constexpr TextCuts kAnywhere{.at_space = true, .at_line_feed = true};

TEST_CASE("texts are cut between a letter or digit and the white space behind it") {
  CHECK(kAnywhere.last("ab cd", 5) == 2);
  CHECK(kAnywhere.last("ab cd ef", 5) == 5);
  CHECK(kAnywhere.last("ab cd ef", 4) == 2);
  CHECK(kAnywhere.last("a1\n\nb", 5) == 2);
  CHECK(kAnywhere.last("ab. cd", 6) == 0);
  CHECK(kAnywhere.last("ab\tcd", 5) == 0);
  CHECK(kAnywhere.last("\xc3\xa9 cd", 5) == 0);
  CHECK(kAnywhere.last(" ab", 3) == 0);
  CHECK(kAnywhere.last("ab ", 9) == 2);
  CHECK(kAnywhere.last("", 0) == 0);
}

TEST_CASE("a vocabulary may allow cuts at line feeds alone, or none") {
  CHECK(TextCuts{.at_line_feed = true}.last("a b\nc d", 7) == 3);
  CHECK(TextCuts{}.last("a b\nc d", 7) == 0);
}

TEST_CASE("no cut where a special token covers the place or ends at it") {
  TextCuts cuts = kAnywhere;
  cuts.spanning = {"of the", "STOP"};
  CHECK(cuts.last("one of the", 7) == 3);
  CHECK(cuts.last("one of them", 7) == 3);
  CHECK(cuts.last("one of a", 7) == 6);
  CHECK(cuts.last("go STOP now", 8) == 2);
  CHECK(cuts.last("go STOPS now", 9) == 8);
}

}  // namespace
}  // namespace tare::backend::llama
