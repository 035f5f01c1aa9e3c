#include "backend/llama/stop_matcher.h"

#include <doctest/doctest.h>

#include <random>

namespace tare::backend::llama {
namespace {

/// After how many pieces it stops, 0: never.
std::size_t stops_after(const std::vector<std::string>& stops,
                        const std::vector<std::string>& pieces) {
  StopMatcher matcher(stops);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (matcher.add(pieces[i])) return i + 1;
  return 0;
}

TEST_CASE("a stop string is found in one piece, over several, and inside a longer one") {
  CHECK(stops_after({"\n\n"}, {"a", "\n", "\n"}) == 3);
  CHECK(stops_after({"\n\n"}, {"a", "\n\n"}) == 2);
  CHECK(stops_after({"\n\n"}, {"a\n", "b", "\n", "c"}) == 0);
  CHECK(stops_after({"Question:"}, {"x Que", "st", "ion", ": y"}) == 4);
  CHECK(stops_after({"b"}, {"abc"}) == 1);
  CHECK(stops_after({"<|im_end|>"}, {"yes", "<|im_end|>"}) == 2);
}

TEST_CASE("any of several stop strings stops; none and empty ones do not") {
  CHECK(stops_after({"xyz", "q"}, {"a", "b", "q"}) == 3);
  CHECK(stops_after({}, {"a", "b"}) == 0);
  CHECK(stops_after({""}, {"a", "b"}) == 0);
  CHECK(stops_after({"", "b"}, {"a", "b"}) == 2);
}

TEST_CASE("a character that comes in several pieces matches when it is whole") {
  CHECK(stops_after({"。"}, {"\xE3", "\x80", "\x82"}) == 3);
  CHECK(stops_after({"。"}, {"\xE3\x80", "\xE3\x80\x82"}) == 2);
}

TEST_CASE("the same as looking into the whole text") {
  std::mt19937 random(4);
  const auto text = [&](std::size_t most) {
    std::string made(random() % most, ' ');
    for (char& c : made) c = "ab"[random() % 2];
    return made;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::vector<std::string> stops{text(7) + "a", text(7) + "b"};
    StopMatcher matcher(stops);
    std::string whole;
    for (int i = 0; i < 12; ++i) {
      const std::string piece = text(4);
      whole += piece;
      const bool wanted =
          whole.find(stops[0]) != std::string::npos || whole.find(stops[1]) != std::string::npos;
      REQUIRE(matcher.add(piece) == wanted);
      if (wanted) break;
    }
  }
}

}  // namespace
}  // namespace tare::backend::llama
