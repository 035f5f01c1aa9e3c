#include "stats/bootstrap.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/python_random.h"
#include "stats/estimates.h"
#include "support/support.h"
#include "unit/stats/cases.h"

namespace tare {
namespace {

using stats::Classified;

std::optional<double> bootstrap(const std::string& function, const std::vector<double>& x,
                                std::size_t iterations) {
  if (function == "mean") return stats::bootstrap_stderr(x, stats::mean, iterations);
  if (function == "nan_mean") return stats::bootstrap_stderr(x, stats::nan_mean, iterations);
  if (function == "median") return stats::bootstrap_stderr(x, stats::median, iterations);
  REQUIRE(function == "perplexity");
  return stats::bootstrap_stderr(x, stats::perplexity, iterations);
}

std::optional<double> bootstrap(const std::string& function, const std::vector<Classified>& items,
                                std::size_t iterations) {
  if (function == "binary_f1") return stats::bootstrap_stderr(items, stats::binary_f1, iterations);
  REQUIRE(function == "matthews_correlation");
  return stats::bootstrap_stderr(items, stats::matthews_correlation, iterations);
}

/// The list that make_cases.py draws: −5 · random() from Random(seed).
std::vector<double> drawn(std::int64_t seed, std::int64_t n) {
  base::PythonRandom random(seed);
  std::vector<double> x;
  for (std::int64_t i = 0; i < n; ++i) x.push_back(-5 * random.random());
  return x;
}

TEST_CASE("the bootstrap gives lm-eval's standard errors to the last bit") {
  int checked = 0;
  const base::Value cases = test::load_cases("stats/bootstrap.json");
  for (const base::Value& item : cases.items()) {
    CAPTURE(item.find("name")->as_string());
    const std::string function = item.find("function")->as_string();
    const auto iterations = static_cast<std::size_t>(item.find("iterations")->as_int());
    if (const base::Value* items = item.find("items"))
      test::check_expected(item, bootstrap(function, test::classified(*items), iterations));
    else if (const base::Value* x = item.find("x"))
      test::check_expected(item, bootstrap(function, test::numbers(*x), iterations));
    else
      test::check_expected(
          item, bootstrap(function, drawn(item.find("seed")->as_int(), item.find("n")->as_int()),
                          iterations));
    ++checked;
  }
  CHECK(checked >= 11);
}

TEST_CASE("the bootstrap is the deviation over resamples made with random.choices") {
  const std::vector<double> x{-1, -2, -3, -0.5, -7};
  std::vector<double> replicates;
  for (int chunk = 0; chunk < 3; ++chunk) {
    base::PythonRandom random(chunk);
    for (int i = 0; i < 1000; ++i) {
      double sum = 0;
      for (std::size_t index : random.choices(x.size(), x.size())) sum += x[index];
      replicates.push_back(sum / 5);
    }
  }
  CHECK(*stats::bootstrap_stderr(x, stats::mean, 3999) == *stats::sample_stddev(replicates));
}

TEST_CASE("a bootstrap of too little is not defined") {
  const std::vector<double> one{-1};
  const std::vector<double> two{-1, -2};
  CHECK_FALSE(stats::bootstrap_stderr(one, stats::mean, 100).has_value());
  CHECK_FALSE(stats::bootstrap_stderr(two, stats::mean, 0).has_value());
  CHECK_FALSE(stats::bootstrap_stderr(two, stats::mean, 1).has_value());
  CHECK(stats::bootstrap_stderr(two, stats::mean, 2).has_value());
}

TEST_CASE("equal values have no spread") {
  const std::vector<double> x(10, -0.5);
  CHECK(*stats::bootstrap_stderr(x, stats::mean, 1000) == 0);
}

}  // namespace
}  // namespace tare
