#include "report/invariance.h"

#include <doctest/doctest.h>

namespace tare::report {
namespace {

using core::Invariance;
using core::InvarianceAttempt;
using core::InvarianceVerdict;

InvarianceAttempt attempt(const char* shape, std::size_t differing) {
  return {shape, {{"other_company", 3, differing}, {"alone", 3, 0}}};
}

std::string only_warning(const Invariance& invariance) {
  const auto warnings = invariance_warnings(invariance);
  REQUIRE(warnings.size() == 1);
  return warnings[0].code + ": " + warnings[0].text;
}

}  // namespace

TEST_CASE("what held is one line and no warning") {
  const Invariance held{InvarianceVerdict::held, {attempt("tile 8", 0)}};
  CHECK(invariance_line(held, "zen4") ==
        "invariance: 6 comparisons, all bitwise equal (tile 8, tier zen4)");
  CHECK(invariance_line(held, "") == "invariance: 6 comparisons, all bitwise equal (tile 8)");
  CHECK(invariance_warnings(held).empty());
}

TEST_CASE("a narrower class is in the line and a warning") {
  const Invariance held{InvarianceVerdict::held, {attempt("tile 8", 2), attempt("tile 16", 0)}};
  CHECK(invariance_line(held, "zen4") ==
        "invariance: 6 comparisons, all bitwise equal (tile 16, narrowed from tile 8, tier zen4)");
  CHECK(only_warning(held) ==
        "invariance-narrowed: with tile 8 2 of 6 comparisons differ, so that results would depend "
        "on what is computed beside them; tile 16 is used instead, where all are equal, and takes "
        "longer");
}

TEST_CASE("a promise that does not hold is a warning") {
  const Invariance broken{InvarianceVerdict::broken,
                          {attempt("tile 32", 1), attempt("one sequence at a time", 1)}};
  CHECK(invariance_line(broken, "zen4") ==
        "invariance: 1 of 6 comparisons differ (one sequence at a time, narrowed from tile 32, "
        "tier zen4)");
  CHECK(
      only_warning(broken) ==
      "invariance-broken: even with one sequence at a time 1 of 6 comparisons differ: the same "
      "question may get another log-likelihood in another batch, order or resume, or with another "
      "number of threads; another --cpu-tier may do better (tare doctor MODEL compares them)");
}

TEST_CASE("unknown is said, and is no pass") {
  CHECK(invariance_line({}, "zen4") == "invariance: not measured");
}

TEST_CASE("fast mode says that nothing is promised") {
  const Invariance off{InvarianceVerdict::not_promised, {}};
  CHECK(invariance_line(off, "zen4").empty());
  CHECK(only_warning(off) ==
        "invariance-off: --mode fast: the same question may get another log-likelihood in another "
        "batch, order or resume, or with another number of threads");
}

TEST_CASE("answers that are looked up need no word") {
  const Invariance exact{InvarianceVerdict::by_construction, {}};
  CHECK(invariance_line(exact, "").empty());
  CHECK(invariance_warnings(exact).empty());
}

}  // namespace tare::report
