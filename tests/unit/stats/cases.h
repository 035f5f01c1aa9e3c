#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "stats/classification.h"

/// Reading of the case files under tests/cases/stats.
namespace tare::test {

inline std::vector<double> numbers(const base::Value& list) {
  std::vector<double> out;
  for (const base::Value& item : list.items()) out.push_back(item.as_number());
  return out;
}

inline std::vector<stats::Classified> classified(const base::Value& list) {
  std::vector<stats::Classified> out;
  for (const base::Value& pair : list.items())
    out.push_back({pair.items()[0].as_int(), pair.items()[1].as_int()});
  return out;
}

/// Compares with a case's "expected": null for undefined, NaN equals NaN, else within "tolerance"
/// (relative, absolute below 1).
inline void check_expected(const base::Value& test_case, std::optional<double> found) {
  const base::Value& expected = *test_case.find("expected");
  REQUIRE(found.has_value() == !expected.is_none());
  if (!found) return;
  const double wanted = expected.as_number();
  const double tolerance = test_case.find("tolerance")->as_number();
  INFO("found " << *found << ", expected " << wanted);
  if (std::isnan(wanted) || std::isinf(wanted) || tolerance == 0) {
    CHECK((*found == wanted || (std::isnan(*found) && std::isnan(wanted))));
  } else {
    CHECK(std::abs(*found - wanted) <= tolerance * std::max(1.0, std::abs(wanted)));
  }
}

}  // namespace tare::test
