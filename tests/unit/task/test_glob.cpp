#include <doctest/doctest.h>

#include "cases.h"
#include "task/glob.h"

namespace tare::test {
namespace {

TEST_CASE("wildcards match as fnmatch does") {
  for_each_case("glob.json", [](const base::Value& test) {
    const bool found =
        task::matches(at(test, "pattern").as_string(), at(test, "name_tried").as_string());
    CHECK_EQ(found, at(test, "matches").as_bool());
  });
}

}  // namespace
}  // namespace tare::test
