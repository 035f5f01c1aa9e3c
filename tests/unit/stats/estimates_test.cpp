#include "stats/estimates.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/support.h"
#include "unit/stats/cases.h"

namespace tare {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::optional<double> call(const std::string& function, const std::vector<double>& x) {
  if (function == "mean") return stats::mean(x);
  if (function == "nan_mean") return stats::nan_mean(x);
  if (function == "median") return stats::median(x);
  if (function == "perplexity") return stats::perplexity(x);
  if (function == "sample_stddev") return stats::sample_stddev(x);
  if (function == "mean_stderr") return stats::mean_stderr(x);
  FAIL("no function " << function);
  return std::nullopt;
}

TEST_CASE("estimates agree with CPython, numpy, scipy and lm-eval") {
  int checked = 0;
  const base::Value cases = test::load_cases("stats/estimates.json");
  for (const base::Value& item : cases.items()) {
    if (item.find("x") == nullptr) continue;
    CAPTURE(item.find("name")->as_string());
    CAPTURE(item.find("source")->as_string());
    test::check_expected(item,
                         call(item.find("function")->as_string(), test::numbers(*item.find("x"))));
    ++checked;
  }
  CHECK(checked > 50);
}

TEST_CASE("the sample deviation is the root of half the mean squared difference of all pairs") {
  const std::vector<double> x{-23.5, -34.0, -5.03, -0.25, 7.5, 7.5};
  double squares = 0;
  for (double a : x)
    for (double b : x) squares += (a - b) * (a - b);
  const auto n = static_cast<double>(x.size());
  CHECK(*stats::sample_stddev(x) ==
        doctest::Approx(std::sqrt(squares / (2 * n * (n - 1)))).epsilon(1e-14));
}

TEST_CASE("what is not defined is absent, not zero") {
  CHECK_FALSE(stats::sample_stddev({}).has_value());
  CHECK_FALSE(stats::mean_stderr({}).has_value());
  const std::vector<double> one{0.5};
  CHECK_FALSE(stats::sample_stddev(one).has_value());
  CHECK_FALSE(stats::mean_stderr(one).has_value());
  CHECK(stats::mean(one) == 0.5);
  CHECK(stats::median(one) == 0.5);
}

TEST_CASE("means of nothing are NaN") {
  CHECK(std::isnan(stats::nan_mean({})));
  const std::vector<double> nothing_known{kNan, kNan};
  CHECK(std::isnan(stats::nan_mean(nothing_known)));
}

TEST_CASE("the median takes NaN for the largest value") {
  const std::vector<double> x{kNan, 3, kNan, 1, 2};
  CHECK(stats::median(x) == 3);
  const std::vector<double> unknown(40, kNan);
  CHECK(std::isnan(stats::median(unknown)));
}

}  // namespace
}  // namespace tare
