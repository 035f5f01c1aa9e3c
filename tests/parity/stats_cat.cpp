// Computes statistics for the comparison with scipy, statsmodels and scikit-learn (stats_fuzz.py):
// each line of stdin is a JSON object {x, y, p, points, cluster}, each line of stdout what the
// functions of src/stats make of them. x and y are numbers, right where they are above 0.
#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "parity/answer_lines.h"
#include "stats/backend_effects.h"
#include "stats/intervals.h"
#include "stats/multiplicity.h"
#include "stats/paired.h"
#include "stats/permutation.h"
#include "stats/repetitions.h"
#include "stats/signed_rank.h"

namespace tare::test {
namespace {

using base::Dict;
using base::List;
using base::Value;

std::vector<double> numbers(const Value& list) {
  std::vector<double> out;
  for (const Value& item : list.items()) out.push_back(item.as_number());
  return out;
}

Value or_none(const std::optional<double>& value) {
  return value ? Value(*value) : Value();
}

Value listed(const std::vector<double>& values) {
  return List(values.begin(), values.end());
}

Value verdicts(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<stats::Verdicts> items;
  for (std::size_t i = 0; i < x.size(); ++i) items.push_back({x[i] > 0, y[i] > 0});
  const stats::PairedCounts counts = stats::count_pairs(items);
  Dict out;
  out.set("divergence", or_none(stats::divergence(counts)));
  out.set("disagreement", or_none(stats::disagreement(counts)));
  out.set("exact", stats::mcnemar_exact(counts));
  out.set("worse", stats::mcnemar_second_worse(counts));
  const auto asymptotic = stats::mcnemar_asymptotic(counts);
  out.set("chi_square", asymptotic ? Value(asymptotic->statistic) : Value());
  out.set("chi_square_p", asymptotic ? Value(asymptotic->p) : Value());
  out.set("kappa", or_none(stats::cohen_kappa(counts)));
  out.set("overlap", or_none(stats::error_overlap(counts)));
  return out;
}

Value signed_rank(const std::vector<double>& d, const stats::SignedRankOptions& options) {
  Dict out;
  const auto found = stats::signed_rank_test(d, options);
  if (!found) return {};
  out.set("statistic", found->statistic);
  out.set("z", or_none(found->z));
  out.set("p", found->p);
  return out;
}

Value differences(const std::vector<double>& x, const std::vector<double>& y,
                  const std::vector<std::size_t>& cluster) {
  std::vector<double> d;
  for (std::size_t i = 0; i < x.size(); ++i) d.push_back(y[i] - x[i]);
  using stats::Zeros;
  Dict out;
  out.set("pratt", signed_rank(d, {.zeros = Zeros::pratt, .exact_up_to = 0}));
  out.set("wilcox", signed_rank(d, {.zeros = Zeros::wilcox, .exact_up_to = 0}));
  out.set("corrected", signed_rank(d, {.continuity = true, .exact_up_to = 0}));
  out.set("exact", signed_rank(d, {}));
  const auto flipped = stats::sign_flip_test(d, std::size_t{1} << 12);
  out.set("flip", flipped && flipped->exact ? Value(flipped->p) : Value());
  out.set("clustered", or_none(stats::clustered_stderr_cr0(d, cluster)));
  const std::vector<std::vector<double>> repetitions{x, y};
  out.set("floor", or_none(stats::repetition_floor(repetitions)));
  out.set("unseen", or_none(stats::unseen_rate(d.size())));
  out.set("variance", or_none(stats::backend_variance(d, 1)));
  return out;
}

Value interval(const stats::Interval& found) {
  return List{found.low, found.high};
}

Value joins(const Value& points) {
  std::vector<std::vector<double>> vectors;
  for (const Value& point : points.items()) vectors.push_back(numbers(point));
  List out;
  for (const stats::Join& join : stats::cluster_by_average(vectors))
    out.push_back(List{join.first, join.second, join.distance, join.size});
  return out;
}

Value answer(const std::string& line) {
  const auto request = base::json::parse(line).value();
  const std::vector<double> x = numbers(*request.find("x")), y = numbers(*request.find("y"));
  const std::vector<double> p = numbers(*request.find("p"));
  std::vector<std::size_t> cluster;
  for (const Value& item : request.find("cluster")->items())
    cluster.push_back(static_cast<std::size_t>(item.as_int()));
  Dict out;
  out.set("verdicts", verdicts(x, y));
  out.set("differences", differences(x, y, cluster));
  out.set("holm", listed(stats::holm(p)));
  out.set("bh", listed(stats::benjamini_hochberg(p)));
  const auto right = static_cast<std::size_t>(
      std::count_if(x.begin(), x.end(), [](double value) { return value > 0; }));
  out.set("wilson", x.empty() ? Value() : interval(stats::wilson(right, x.size())));
  out.set("joins", joins(*request.find("points")));
  return out;
}

}  // namespace
}  // namespace tare::test

int main() {
  tare::test::answer_lines(tare::test::answer);
  return 0;
}
