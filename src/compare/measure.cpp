#include "compare/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compare/values.h"
#include "compare/words.h"
#include "stats/permutation.h"
#include "stats/power.h"
#include "stats/repetitions.h"

namespace tare::compare {
namespace {

using base::Value;
using Amounts = std::vector<Amount>;

/// The documents that have a number on both sides.
struct Usable {
  Amounts first, second;
  std::vector<const Pair*> pairs;
};

bool is_finite(const Amount& amount) {
  return std::isfinite(amount.value) && std::isfinite(amount.weight);
}

Usable usable_of(const Series& series, Measured& measured) {
  Usable usable;
  for (const Pair& pair : series.pairs) {
    if (pair.first.is_none() || pair.second.is_none()) {
      ++measured.missing;
      continue;
    }
    if (measured.kind == Kind::other) {
      ++measured.items;
      continue;
    }
    const auto first = amount_of(pair.first, series.metric),
               second = amount_of(pair.second, series.metric);
    if (!first || !second || !is_finite(*first) || !is_finite(*second)) {
      ++measured.missing;
      ++measured.undefined;
      continue;
    }
    usable.first.push_back(*first);
    usable.second.push_back(*second);
    usable.pairs.push_back(&pair);
    ++measured.items;
  }
  return usable;
}

/// NaN is left out, as the results of both programs leave it out or are NaN themselves.
std::optional<double> over_all(const std::vector<Value>& values, const std::string& metric,
                               Kind kind) {
  Amounts amounts;
  for (const Value& value : values)
    if (const auto amount = amount_of(value, metric); amount && !std::isnan(amount->value))
      amounts.push_back(*amount);
  if (amounts.empty()) return std::nullopt;
  return value_over(amounts, kind);
}

/// That the results are no mean of the samples; "" if they are.
std::string unlike_reported(const Series& series, Kind kind) {
  constexpr double kRounding = 1e-9;
  const std::array sides{std::pair{series.reported_first, &series.all_first},
                         std::pair{series.reported_second, &series.all_second}};
  for (const auto& [reported, values] : sides) {
    const auto found = over_all(*values, series.metric, kind);
    if (!reported || !found || std::isnan(*reported)) continue;
    if (std::abs(*found - *reported) > kRounding * std::max(1.0, std::abs(*reported)))
      return fmt::format(
          "the results say {:.6g} where the samples give {:.6g}: it is no mean over documents, or "
          "these are other samples",
          *reported, *found);
  }
  return "";
}

std::string why_not(const Series& series, Kind kind, const Usable& usable) {
  if (kind == Kind::other) return "it is a function of all documents together, not a mean of them";
  if (std::string fault = unlike_reported(series, kind); !fault.empty()) return fault;
  if (usable.pairs.empty()) return "no document has a value in both runs";
  for (std::size_t i = 0; i < usable.first.size(); ++i)
    if (usable.first[i].weight != usable.second[i].weight)
      return fmt::format("document {} counts {} words or bytes in one run and {} in the other",
                         usable.pairs[i]->document, usable.first[i].weight,
                         usable.second[i].weight);
  for (const Amounts* amounts : {&usable.first, &usable.second})
    if (!std::isfinite(value_over(*amounts, kind))) return "a score is not a finite number";
  return "";
}

std::vector<double> subtract(std::vector<double> x, const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return x;
}

double error_of(const std::vector<double>& influences) {
  return stats::influence_stderr(influences).value_or(0);
}

void set_scores(const Usable& usable, double level, Measured& measured) {
  const auto before = influences(usable.first, measured.kind),
             after = influences(usable.second, measured.kind);
  measured.first.value = value_over(usable.first, measured.kind);
  measured.second.value = value_over(usable.second, measured.kind);
  measured.error = error_of(subtract(after, before));
  const auto fill = [&](Score& score, double error) {
    score.interval = stats::t_interval({score.value, error}, usable.first.size(), level);
  };
  fill(measured.first, error_of(before));
  fill(measured.second, error_of(after));
  measured.unpaired_p = stats::unpaired_p({measured.first.value, error_of(before)},
                                          {measured.second.value, error_of(after)});
}

/// Wilson's, whose end is 0 or 1 to the last bit where all verdicts are one.
stats::Interval share_interval(std::size_t right, std::size_t n, double level) {
  stats::Interval interval = stats::wilson(right, n, level);
  if (right == 0) interval.low = 0;
  if (right == n) interval.high = 1;
  return interval;
}

void set_verdicts(const Usable& usable, double level, Measured& measured) {
  std::vector<stats::Verdicts> verdicts;
  for (std::size_t i = 0; i < usable.pairs.size(); ++i) {
    const stats::Verdicts both{usable.first[i].value == 1, usable.second[i].value == 1};
    verdicts.push_back(both);
    if (!both.first && !both.second && usable.pairs[i]->other_answer) ++measured.other_wrong;
  }
  const stats::PairedCounts counts = stats::count_pairs(verdicts);
  measured.verdicts = counts;
  measured.first.interval =
      share_interval(counts.both_right + counts.only_first, counts.total(), level);
  measured.second.interval =
      share_interval(counts.both_right + counts.only_second, counts.total(), level);
  measured.kappa = stats::cohen_kappa(counts);
  measured.kappa_interval = stats::kappa_interval(counts, level);
  measured.test = "McNemar";
  measured.p = stats::mcnemar_exact(counts);
}

/// Of amounts that count alike, whose signs a test may flip.
void set_flip_test(const Usable& usable, const MeasureOptions& options, Measured& measured) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < usable.first.size(); ++i)
    differences.push_back(usable.second[i].value - usable.first[i].value);
  const auto flips = stats::sign_flip_test(differences, options.permutations, options.seed);
  if (!flips) return;
  measured.test = "sign flips";
  measured.p = flips->p;
}

/// By the logarithm of the ratio, whose interval is that of a mean.
void set_ratio(const Usable& usable, double level, Measured& measured) {
  Amounts logs;
  for (std::size_t i = 0; i < usable.first.size(); ++i)
    logs.push_back({usable.first[i].value - usable.second[i].value, usable.first[i].weight});
  const double mean = value_over(logs, Kind::values);
  const auto interval =
      stats::t_interval({mean, error_of(influences(logs, Kind::values))}, logs.size(), level);
  measured.ratio = std::exp(mean);
  if (interval)
    measured.ratio_interval = stats::Interval{std::exp(interval->low), std::exp(interval->high)};
}

void set_changed(const Usable& usable, Measured& measured) {
  // A higher log-likelihood is better, though of what is made of them the lower one is.
  const bool likelihoods = measured.kind == Kind::perplexity || measured.kind == Kind::bits;
  const double better = likelihoods || measured.higher_is_better ? 1 : -1;
  for (std::size_t i = 0; i < usable.pairs.size(); ++i) {
    const double change = better * (usable.second[i].value - usable.first[i].value);
    if (change < 0) measured.worse.push_back(usable.pairs[i]->document);
    if (change > 0) measured.improved.push_back(usable.pairs[i]->document);
  }
}

}  // namespace

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, 5> kNames{"verdicts", "values", "perplexity", "bits",
                                                   "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

Measured measure(const Series& series, const MeasureOptions& options) {
  Measured measured;
  measured.task = series.task;
  measured.metric = series.metric;
  measured.filter = series.filter;
  measured.higher_is_better = series.higher_is_better;
  measured.failures = series.failures;
  measured.reported_first = series.reported_first;
  measured.reported_second = series.reported_second;
  measured.kind = kind_of(series);
  const Usable usable = usable_of(series, measured);
  measured.not_compared = why_not(series, measured.kind, usable);
  if (!measured.not_compared.empty()) return measured;
  set_scores(usable, options.level, measured);
  if (measured.kind == Kind::verdicts)
    set_verdicts(usable, options.level, measured);
  else
    set_flip_test(usable, options, measured);
  if (measured.kind == Kind::perplexity) set_ratio(usable, options.level, measured);
  measured.interval = interval_at(measured, options.level);
  set_changed(usable, measured);
  return measured;
}

std::optional<stats::Interval> interval_at(const Measured& measured, double level) {
  if (!measured.not_compared.empty()) return std::nullopt;
  if (measured.verdicts) return stats::difference_interval(*measured.verdicts, level);
  return stats::t_interval({measured.difference(), measured.error}, measured.items, level);
}

std::optional<double> detectable_of(const Measured& measured, std::size_t tests,
                                    const MeasureOptions& options) {
  if (!measured.not_compared.empty()) return std::nullopt;
  const auto shared = static_cast<double>(std::max<std::size_t>(tests, 1));
  const stats::PowerOptions power{.alpha = (1 - options.level) / shared};
  if (measured.verdicts) {
    // Where nothing changed, as much as so many items do not rule out.
    const std::size_t changed = measured.verdicts->changed();
    const auto rate =
        changed > 0 ? stats::disagreement(*measured.verdicts) : stats::unseen_rate(measured.items);
    return stats::detectable_verdicts(rate.value_or(0), measured.items, power);
  }
  constexpr double kRounding = 1e-12;
  const double size = std::max(std::abs(measured.first.value), std::abs(measured.second.value));
  if (measured.error <= kRounding * size) return std::nullopt;
  if (stats::least_sign_flip_p(measured.items, options.permutations) >= power.alpha)
    return std::nullopt;
  const auto least = stats::detectable_mean(measured.error, measured.items, power);
  return least && is_share(measured) && *least > 1 ? std::nullopt : least;
}

}  // namespace tare::compare
