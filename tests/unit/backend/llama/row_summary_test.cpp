#include "backend/llama/row_summary.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <vector>

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
