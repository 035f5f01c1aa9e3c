#include "study/estimate.h"

#include <doctest/doctest.h>

namespace tare {

TEST_CASE("a cell is expected to take as long as the runs most like it") {
  const std::vector<study::Pace> paces{
      {{0, 0, "deterministic", 0, 0}, 2, 10, 10},
      {{0, 0, "fix", 0, 0}, 3, 30, 10},
      {{0, 0, "deterministic", 0, 1}, 1, 5, 10},
  };
  CHECK(study::expected_seconds({0, 0, "fix", 1, 0}, 20, paces) == 60);
  CHECK(study::expected_seconds({0, 0, "deterministic", 0, 1}, 4, paces) == 2);
  // Another mode of a benchmark: of all its runs.
  CHECK(study::expected_seconds({0, 0, "default", 0, 0}, 10, paces) == 20);
  CHECK_FALSE(study::expected_seconds({0, 1, "fix", 0, 0}, 20, paces));
  CHECK(study::expected_load({0, 0, "fix", 1, 0}, paces) == 3);
  CHECK_FALSE(study::expected_load({1, 0, "fix", 1, 0}, paces));
}

}  // namespace tare
