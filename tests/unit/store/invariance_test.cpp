#include "store/invariance.h"

#include <doctest/doctest.h>

#include "base/json.h"

namespace tare::store {
namespace {

using core::Invariance;
using core::InvarianceVerdict;

std::string written(const Invariance& invariance) {
  return base::json::dump(invariance_value(invariance));
}

Invariance narrowed() {
  return {InvarianceVerdict::held,
          {{"tile 8", {{"other_company", 3, 0}, {"alone", 3, 2}}},
           {"tile 16", {{"other_company", 3, 0}, {"alone", 3, 0}}}}};
}

std::string error_of(std::string_view json) {
  const auto value = base::json::parse(json);
  REQUIRE(value);
  const auto read = read_invariance(*value);
  return read ? "" : read.error().text;
}

}  // namespace

TEST_CASE("a verdict is written with each class that was tried") {
  CHECK(written(narrowed()) == R"({"verdict": "held", "attempts": [)"
                               R"({"shape_class": "tile 8", "trials": [)"
                               R"({"trial": "other_company", "comparisons": 3, "differing": 0}, )"
                               R"({"trial": "alone", "comparisons": 3, "differing": 2}]}, )"
                               R"({"shape_class": "tile 16", "trials": [)"
                               R"({"trial": "other_company", "comparisons": 3, "differing": 0}, )"
                               R"({"trial": "alone", "comparisons": 3, "differing": 0}]}]})");
}

TEST_CASE("what was written is read back") {
  for (const Invariance& invariance : {narrowed(), Invariance{InvarianceVerdict::broken, {}},
                                       Invariance{InvarianceVerdict::not_measured, {}},
                                       Invariance{InvarianceVerdict::not_promised, {}},
                                       Invariance{InvarianceVerdict::by_construction, {}}}) {
    const auto read = read_invariance(invariance_value(invariance));
    REQUIRE(read);
    CHECK(read->verdict == invariance.verdict);
    CHECK(written(*read) == written(invariance));
  }
}

TEST_CASE("a verdict that is damaged is refused, naming what is missing") {
  CHECK(error_of("[]") == "invariance is no object");
  CHECK(error_of("{}") == "verdict is missing or of another kind");
  CHECK(error_of(R"({"verdict": "good"})") == "verdict is missing or of another kind");
  CHECK(error_of(R"({"verdict": "held"})") == "attempts is missing or of another kind");
  CHECK(error_of(R"({"verdict": "held", "attempts": [{"shape_class": "tile 8"}]})") ==
        "trials is missing or of another kind");
  CHECK(error_of(R"({"verdict": "held", "attempts": [{"shape_class": "tile 8", "trials":
        [{"trial": "alone", "comparisons": -1, "differing": 0}]}]})") ==
        "comparisons is missing or of another kind");
}

}  // namespace tare::store
