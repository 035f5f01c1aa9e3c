#include <doctest/doctest.h>

#include <numeric>

#include "plan/encode.h"

namespace tare::plan {
namespace {

using core::Token;

constexpr Token kPrefix = 99;

std::vector<Token> numbers(std::size_t count) {
  std::vector<Token> tokens(count);
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

void check_window(const PairEncoder::Pair& window, const std::vector<Token>& context,
                  const std::vector<Token>& predicted) {
  std::vector<Token> whole = context;
  whole.insert(whole.end(), predicted.begin(), predicted.end());
  CHECK(window.tokens == whole);
  CHECK(window.first_scored == context.size());
}

}  // namespace

// lm-eval 0.4.13: list(map(make_disjoint_window, get_rolling_token_windows(range(10), 99, 4, 1)))
TEST_CASE("windows of a rolling text are those of lm-eval") {
  const auto windows = rolling_windows(numbers(10), kPrefix, 4);
  REQUIRE(windows.size() == 3);
  check_window(windows[0], {kPrefix}, {0, 1, 2, 3});
  check_window(windows[1], {3}, {4, 5, 6, 7});
  check_window(windows[2], {5, 6, 7}, {8, 9});
}

TEST_CASE("a text that fits is one window, and one without tokens is none") {
  REQUIRE(rolling_windows(numbers(4), kPrefix, 4).size() == 1);
  REQUIRE(rolling_windows(numbers(40), kPrefix, 0).size() == 1);
  CHECK(rolling_windows({}, kPrefix, 4).empty());
}

TEST_CASE("each token is predicted once, whatever the window") {
  for (std::size_t length = 1; length < 30; ++length)
    for (std::size_t window = 1; window < 12; ++window) {
      std::vector<Token> predicted;
      for (const auto& pair : rolling_windows(numbers(length), kPrefix, window)) {
        CHECK(pair.tokens.size() <= window + 1);
        predicted.insert(predicted.end(),
                         pair.tokens.begin() + static_cast<std::ptrdiff_t>(pair.first_scored),
                         pair.tokens.end());
      }
      CHECK(predicted == numbers(length));
    }
}

}  // namespace tare::plan
