#include "backend/llama/row_summary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "backend/llama/exp_sum.h"

namespace tare::backend::llama {
namespace {

TEST_CASE("log Σ exp of known rows") {
  CHECK(summarise(std::vector<float>(49152, 0.0F)).log_sum ==
        doctest::Approx(std::log(49152.0)).epsilon(1e-15));
  CHECK(summarise(std::vector<float>{std::log(1.0F), 0, 0}).log_sum ==
        doctest::Approx(std::log(3.0)).epsilon(1e-15));
  const RowSummary one = summarise(std::vector<float>{7.5F});
  CHECK(one.log_sum == 7.5);
  CHECK(one.argmax == 0);
}

TEST_CASE("large and small logits neither overflow nor vanish") {
  const RowSummary huge = summarise(std::vector<float>{30000.0F, 30000.0F});
  CHECK(huge.log_sum == doctest::Approx(30000 + std::log(2.0)).epsilon(1e-15));
  const RowSummary low = summarise(std::vector<float>{-30000.0F, -INFINITY});
  CHECK(low.log_sum == -30000);
}

TEST_CASE("the first of equal logits is the argmax") {
  CHECK(summarise(std::vector<float>{1, 3, 3, 2}).argmax == 1);
}

TEST_CASE("probabilities of a row add up to one") {
  std::vector<float> row(1000);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::sin(static_cast<float>(i)) * 12;
  const RowSummary summary = summarise(row);
  double sum = 0;
  for (const float logit : row) sum += std::exp(static_cast<double>(logit) - summary.log_sum);
  CHECK(sum == doctest::Approx(1).epsilon(1e-13));
}

/// Rows of many lengths, as flat and as steep as models make them.
std::vector<float> some_row(std::size_t size, float spread) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::normal_distribution<float> normal(-3, spread);
  std::vector<float> row(size);
  for (float& logit : row) logit = normal(random);
  return row;
}

TEST_CASE("the sum is that of std::exp in long double, for any length") {
  for (const std::size_t size : {1U, 2U, 7U, 8U, 15U, 16U, 17U, 1023U, 1025U, 49152U, 262144U})
    for (const float spread : {0.01F, 3.0F, 60.0F}) {
      const std::vector<float> row = some_row(size, spread);
      const auto top = std::max_element(row.begin(), row.end());
      long double sum = 0;
      for (const float logit : row) sum += std::exp(static_cast<long double>(logit) - *top);
      CHECK(exp_sum(row, *top) == doctest::Approx(static_cast<double>(sum)).epsilon(1e-14));
      CHECK(summarise(row).argmax == top - row.begin());
    }
}

TEST_CASE("a term is exact to the last bits from the largest to the smallest that count") {
  for (float x = -700; x <= 0; x += 0.37F) {
    const std::vector<float> row{x};
    const double wanted = std::exp(static_cast<double>(x));
    CHECK(std::abs(exp_sum(row, 0) - 15 * std::exp(-708.0) - wanted) <= 4e-16 * wanted);
  }
}

TEST_CASE("a row that is no row of numbers gives no number") {
  for (const float bad : {NAN, INFINITY}) {
    std::vector<float> row = some_row(100, 3);
    row[57] = bad;
    CHECK(std::isnan(summarise(row).log_sum));
  }
  CHECK(std::isnan(summarise(std::vector<float>{-INFINITY, -INFINITY}).log_sum));
  CHECK(std::isnan(summarise(std::vector<float>{NAN, 1, 2}).log_sum));
}

TEST_CASE("parallel_for does everything once on any number of threads") {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::vector<std::atomic<int>> done(100);
    parallel_for(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    for (const auto& count : done) CHECK(count == 1);
  }
  parallel_for(0, 4, [](std::size_t) { FAIL("there is nothing to do"); });
}

}  // namespace
}  // namespace tare::backend::llama
