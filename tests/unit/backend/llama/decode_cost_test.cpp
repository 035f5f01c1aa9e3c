#include "backend/llama/decode_cost.h"

#include <doctest/doctest.h>

namespace tare::backend::llama {

TEST_CASE("a decode costs its rows, full tiles of logits, and a little in any case") {
  Decode decode;
  decode.rows = 16;
  decode.work = {{.stream = 0, .count = 12, .reads = {{3, 0}, {3, 1}, {7, 0}}},
                 {.stream = 1, .count = 16}};
  CHECK(decode_cost(decode, 8, 0) == doctest::Approx(7 + 0.8 + 2 * 16));
  CHECK(decode_cost(decode, 8, 1.5) == doctest::Approx(7 + 0.8 + 2 * 16 + 1.5 * 8));
  decode.work[1].reads = {{0, 2}, {1, 2}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {6, 2}};
  CHECK(decode_cost(decode, 8, 1.5) == doctest::Approx(7 + 0.8 + 2 * 16 + 1.5 * 16));
}

TEST_CASE("a decode of few rows costs what reading the weights costs") {
  Decode decode;
  decode.rows = 8;
  decode.work = {{.stream = 0, .count = 3}};
  CHECK(decode_cost(decode, 8, 1) == doctest::Approx(20 + 0.4));
}

}  // namespace tare::backend::llama
