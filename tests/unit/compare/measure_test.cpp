#include "compare/measure.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "compare/values.h"
#include "stats/estimates.h"
#include "unit/compare/series.h"

namespace tare::compare {
namespace {

using base::List;
using base::Value;
using test::series;
using test::verdicts;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

doctest::Approx near(double value, double within = 1e-8) {
  return doctest::Approx(value).epsilon(within);
}

void check_interval(const std::optional<stats::Interval>& found, double low, double high) {
  REQUIRE(found);
  CHECK(found->low == near(low, 1e-6));
  CHECK(found->high == near(high, 1e-6));
}

// McNemar, Wilson and kappa by statsmodels 0.14 (contingency_tables.mcnemar, proportion_confint,
// inter_rater.cohens_kappa); the paired interval by scipy 1.17.1 from the likelihood.
TEST_CASE("verdicts get McNemar's test, Wilson's, Tango's and kappa's intervals") {
  const Measured measured = measure(verdicts(300, 46, 27, 27));
  CHECK(measured.kind == Kind::verdicts);
  CHECK(measured.items == 400);
  CHECK(measured.first.value == 346.0 / 400);
  CHECK(measured.second.value == 327.0 / 400);
  CHECK(measured.test == "McNemar");
  CHECK(measured.p.value() == near(0.0344159, 1e-5));
  check_interval(measured.first.interval, 0.8280190158, 0.8950370094);
  check_interval(measured.interval, -0.0902824343, -0.0057636797);
  CHECK(measured.kappa.value() == near(0.3196010812));
  check_interval(measured.kappa_interval, 0.1995299098, 0.4396722545);
  CHECK(measured.worse.size() == 46);
  CHECK(measured.improved.size() == 27);
  // By the exact test of 73 changed documents in 400 (tests/unit/stats/intervals_test.cpp).
  CHECK(detectable_of(measured, 1).value() == near(0.0614491, 1e-4));
  CHECK(detectable_of(measured, 2).value() == near(0.0670500, 1e-4));
  CHECK_FALSE(measured.better());
}

TEST_CASE("two runs that score the same are told apart from nothing known") {
  const Measured measured = measure(verdicts(30, 0, 0, 10));
  CHECK(measured.difference() == 0);
  CHECK(measured.p == 1);
  CHECK(measured.kappa == 1);
  CHECK_FALSE(measured.kappa_interval);
  REQUIRE(measured.interval);
  CHECK(measured.interval->high > 0);
  CHECK(detectable_of(measured, 1).value() > 0);
}

TEST_CASE("what is called detectable can be found: at least six verdicts have to change") {
  // Were it for the variance alone, 2.8016·√(0.3123/8) = 0.554 and 2.8016·√(0.1/20) = 0.198.
  CHECK(detectable_of(measure(verdicts(4, 0, 0, 4)), 1).value() == near(0.8014040, 1e-4));
  CHECK(detectable_of(measure(verdicts(9, 1, 1, 9)), 1).value() == near(0.3664598, 1e-4));
  CHECK(detectable_of(measure(verdicts(3, 0, 0, 3)), 1).value() == near(0.9634933, 1e-4));
  CHECK_FALSE(detectable_of(measure(verdicts(3, 0, 0, 3)), 2));
  CHECK_FALSE(detectable_of(measure(verdicts(2, 1, 0, 2)), 1));
}

TEST_CASE("of means it is what the test of signs can find, and no noise of rounding") {
  const std::vector<Value> first{0.5, 0.25, 1.0, 0.75, 0.0, 0.5},
      second{0.75, 0.5, 0.5, 1, 0.25, 1};
  const Measured measured = measure(series("f1", first, second));
  CHECK(detectable_of(measured, 1).value() == near(3.490126 * measured.error, 1e-5));
  // Two of 2⁶ signs: p is 0.03125 at the least.
  CHECK_FALSE(detectable_of(measured, 2));
  std::vector<Value> noise;
  for (int i = 0; i < 20; ++i) noise.emplace_back(3.5 + (i % 2) * 1e-15);
  CHECK_FALSE(detectable_of(measure(series("err", std::vector<Value>(20, 3.5), noise)), 1));
}

// scipy 1.17.1: stats.ttest_rel(second, first).confidence_interval(0.95).
TEST_CASE("an end of an interval is 0 or 1 to the bit") {
  const Measured measured = measure(verdicts(1, 1, 0, 0));
  CHECK(measured.first.interval->high == 1);
  CHECK(measure(verdicts(0, 0, 0, 3)).first.interval->low == 0);
}

TEST_CASE("other means get Student's interval of the paired differences") {
  const Measured measured =
      measure(series("f1", {0.5, 0.25, 1.0, 0.75, 0.0}, {0.75, 0.5, 0.5, 1.0, 0.25}));
  CHECK(measured.kind == Kind::values);
  CHECK(measured.test == "sign flips");
  CHECK(measured.difference() == near(0.1));
  check_interval(measured.interval, -0.3164668, 0.5164668);
  // All 2⁵ signs: Σ = 0.5 is reached or passed by 20 of 32 sums in size.
  CHECK(measured.p.value() > 0.5);
  CHECK(measured.worse == std::vector<std::int64_t>{2});
  CHECK(measured.improved.size() == 4);
}

TEST_CASE("where lower is better, a fall is an improvement") {
  Series falling = series("err", {2.0, 3.0, 4.0}, {1.0, 2.5, 3.0});
  falling.higher_is_better = false;
  const Measured measured = measure(falling);
  CHECK(measured.better());
  CHECK(measured.improved.size() == 3);
  CHECK(measured.worse.empty());
}

TEST_CASE("perplexities are compared by their log-likelihoods, as a ratio too") {
  Series perplexities = series("perplexity", {-1.0, -2.0, -3.0, -0.5}, {-1.5, -2.0, -3.5, -1.0});
  perplexities.higher_is_better = false;
  perplexities.reported_first = std::exp(1.625);
  const Measured measured = measure(perplexities);
  REQUIRE(measured.not_compared.empty());
  CHECK(measured.kind == Kind::perplexity);
  CHECK(measured.second.value == near(std::exp(2.0)));
  CHECK(measured.ratio.value() == near(std::exp(0.375)));
  // The mean of 0.5, 0, 0.5, 0.5 is 0.375 with error 0.125; t(3) at 97.5 % is 3.182446305.
  check_interval(measured.ratio_interval, std::exp(0.375 - 0.125 * 3.182446305),
                 std::exp(0.375 + 0.125 * 3.182446305));
  CHECK_FALSE(measured.better());
  CHECK(measured.worse.size() == 3);
}

TEST_CASE("sums over words are ratios of sums, and unequal words are refused") {
  const auto pair = [](double sum, int words) { return Value(List{sum, words}); };
  const std::vector<Value> first{pair(-10.5, 4), pair(-3.25, 2)};
  Series words = series("word_perplexity", first, {pair(-9.5, 4), pair(-3.25, 2)});
  words.reported_first = std::exp(13.75 / 6);
  const Measured measured = measure(words);
  REQUIRE(measured.not_compared.empty());
  CHECK(measured.first.value == near(std::exp(13.75 / 6)));
  CHECK(measured.ratio.value() == near(std::exp(-1.0 / 6)));
  const Measured bits = measure(series("bits_per_byte", first, first));
  CHECK(bits.kind == Kind::bits);
  CHECK(bits.first.value == near(13.75 / 6 / std::log(2.0)));
  const Measured other = measure(series("word_perplexity", first, {pair(-9.5, 5), pair(-3.25, 2)}));
  CHECK(other.not_compared == "document 0 counts 4 words or bytes in one run and 5 in the other");
}

TEST_CASE("influences give the standard errors of means and of log-likelihoods' means") {
  const std::vector<Amount> amounts{{1, 1}, {4, 1}, {2.5, 1}};
  const std::vector<double> x{1, 4, 2.5};
  CHECK(stats::influence_stderr(influences(amounts, Kind::values)).value() ==
        near(stats::mean_stderr(x).value()));
  CHECK(stats::influence_stderr(influences(amounts, Kind::perplexity)).value() ==
        near(stats::mean_stderr(x).value() * std::exp(-2.5)));
}

TEST_CASE("documents without a number on both sides are left out and counted") {
  Series some = series("acc", {1.0, 0.0, Value(), kNan, 1.0}, {1.0, 1.0, 1.0, 1.0, Value()});
  some.failures = {{"HTTP 503", 2}};
  const Measured measured = measure(some);
  CHECK(measured.items == 2);
  CHECK(measured.missing == 3);
  CHECK(measured.undefined == 1);
  CHECK(measured.failures == some.failures);
  CHECK(measured.first.value == 0.5);
}

TEST_CASE("what is no mean of its documents is not compared, and why is said") {
  Series other = series("acc", {1.0, 0.0}, {1.0, 1.0});
  other.reported_first = 0.75;
  CHECK(measure(other).not_compared ==
        "the results say 0.75 where the samples give 0.5: it is no mean over documents, or these "
        "are other samples");
  const Value label(List{1, 0});
  const Measured labels = measure(series("mcc", {label}, {label}));
  CHECK(labels.not_compared == "it is a function of all documents together, not a mean of them");
  CHECK(labels.items + labels.missing == 1);
  CHECK(labels.missing == 0);
  CHECK(measure(series("acc", {Value()}, {1.0})).not_compared ==
        "no document has a value in both runs");
}

TEST_CASE("Brier's score is a mean of losses") {
  const auto of = [](int gold, double p) { return Value(List{gold, List{p, 1 - p}}); };
  const Measured measured =
      measure(series("brier_score", {of(0, 1), of(1, 0.5)}, {of(0, 1), of(1, 0)}));
  REQUIRE(measured.not_compared.empty());
  CHECK(measured.first.value == near(0.25));
  CHECK(measured.second.value == 0);
}

TEST_CASE("Holm counts the tests of all pairs") {
  const Comparison all = test::comparison({verdicts(15, 5, 0, 0), verdicts(34, 6, 0, 0)});
  CHECK(all.tests == 2);
  // 2·0.5⁵ = 0.0625 and 2·0.5⁶ = 0.03125, the smaller one doubled.
  CHECK(all.pairs[0].metrics[0].adjusted == 0.0625);
  CHECK(all.pairs[0].metrics[1].adjusted == 0.0625);
}

}  // namespace
}  // namespace tare::compare
