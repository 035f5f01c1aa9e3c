#include "stats/classification.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/support.h"
#include "unit/stats/cases.h"

namespace tare {
namespace {

using stats::Classified;

std::optional<double> call(const std::string& function, const std::vector<Classified>& items) {
  if (function == "matthews_correlation") return stats::matthews_correlation(items);
  REQUIRE(function == "binary_f1");
  if (!stats::is_binary(items)) return std::nullopt;
  return stats::binary_f1(items);
}

TEST_CASE("agreement of labels as scikit-learn computes it") {
  int checked = 0;
  const base::Value cases = test::load_cases("stats/estimates.json");
  for (const base::Value& item : cases.items()) {
    if (item.find("items") == nullptr) continue;
    CAPTURE(item.find("name")->as_string());
    test::check_expected(
        item, call(item.find("function")->as_string(), test::classified(*item.find("items"))));
    ++checked;
  }
  CHECK(checked == 16);
}

/// Every list of `n` items with labels below `labels`, by counting in base labels².
std::vector<Classified> enumerated(std::size_t number, std::size_t n, std::int64_t labels) {
  std::vector<Classified> items;
  for (std::size_t i = 0; i < n; ++i) {
    const auto digit = static_cast<std::int64_t>(number) % (labels * labels);
    items.push_back({digit / labels, digit % labels});
    number /= static_cast<std::size_t>(labels * labels);
  }
  return items;
}

TEST_CASE("binary F1 is the harmonic mean of precision and recall") {
  for (std::size_t number = 0; number < 256; ++number) {
    const auto items = enumerated(number, 4, 2);
    double hits = 0, called = 0, real = 0;
    for (const Classified& item : items) {
      hits += item.gold == 1 && item.predicted == 1;
      called += item.predicted == 1;
      real += item.gold == 1;
    }
    const double precision = called == 0 ? 0 : hits / called;
    const double recall = real == 0 ? 0 : hits / real;
    const double expected =
        precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall);
    CHECK(stats::is_binary(items));
    CHECK(stats::binary_f1(items) == doctest::Approx(expected).epsilon(1e-14));
  }
}

TEST_CASE("binary Matthews correlation is Pearson's correlation of the two indicators") {
  for (std::size_t number = 0; number < 1024; ++number) {
    const auto items = enumerated(number, 5, 2);
    double g = 0, p = 0, gp = 0;
    for (const Classified& item : items) {
      g += static_cast<double>(item.gold) / 5;
      p += static_cast<double>(item.predicted) / 5;
      gp += static_cast<double>(item.gold * item.predicted) / 5;
    }
    const double variance = (g - g * g) * (p - p * p);
    const double expected = variance < 1e-12 ? 0 : (gp - g * p) / std::sqrt(variance);
    CHECK(stats::matthews_correlation(items) == doctest::Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("no items") {
  CHECK(stats::is_binary({}));
  CHECK(stats::binary_f1({}) == 0);
  CHECK(stats::matthews_correlation({}) == 0);
}

}  // namespace
}  // namespace tare
