#include "study/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "stats/estimates.h"
#include "stats/multiplicity.h"
#include "stats/paired.h"
#include "stats/permutation.h"
#include "stats/power.h"
#include "stats/repetitions.h"
#include "stats/signed_rank.h"

namespace tare::study {
namespace {

using Values = std::vector<double>;
using Repetitions = std::vector<Values>;

/// The answers of one side to an item; those that are missing left out.
Values answers_to(const Repetitions& side, std::size_t item) {
  Values answers;
  for (const Values& repetition : side)
    if (!std::isnan(repetition[item])) answers.push_back(repetition[item]);
  return answers;
}

/// The items that both sides have.
struct Paired {
  std::vector<std::size_t> items;
  std::size_t missing = 0;
  Values first, second;  ///< means over repetitions
  bool verdicts = true;
  std::vector<stats::Verdicts> majorities;  ///< of use where all are verdicts
};

bool all_verdicts(const Values& answers) {
  return std::ranges::all_of(answers, [](double value) { return value == 0 || value == 1; });
}

Paired pair_up(const Repetitions& first, const Repetitions& second) {
  Paired paired;
  for (std::size_t i = 0; i < first.front().size(); ++i) {
    const Values a = answers_to(first, i), b = answers_to(second, i);
    if (a.empty() || b.empty()) {
      paired.missing += a.empty() != b.empty() ? 1 : 0;
      continue;
    }
    paired.items.push_back(i);
    paired.first.push_back(stats::mean(a));
    paired.second.push_back(stats::mean(b));
    paired.verdicts = paired.verdicts && all_verdicts(a) && all_verdicts(b);
    paired.majorities.push_back({stats::majority(a), stats::majority(b)});
  }
  return paired;
}

Values differences(const Paired& paired) {
  Values d;
  for (std::size_t i = 0; i < paired.items.size(); ++i)
    d.push_back(paired.second[i] - paired.first[i]);
  return d;
}

void set_agreement(const Paired& paired, const Values& d, double radius, Comparison& result) {
  double moved = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const auto [first, second] = paired.majorities[i];
    moved += std::abs(d[i]);
    if (paired.verdicts ? first != second : d[i] != 0) result.changed.push_back(paired.items[i]);
  }
  result.disagreement = moved / static_cast<double>(d.size());
  if (paired.verdicts) {
    const stats::PairedCounts counts = stats::count_pairs(paired.majorities);
    result.disagreement = stats::disagreement(counts);
    result.kappa = stats::cohen_kappa(counts);
    result.overlap = stats::error_overlap(counts);
  }
  result.severe = stats::is_severe(result.divergence(), *result.disagreement, radius);
}

/// McNemar's exact test where each item has one verdict; else sign flips, which are the same test
/// for verdicts.
void set_tests(const Paired& paired, const Values& d, const Design& design, Comparison& result) {
  if (paired.verdicts && result.repetitions == 1) {
    result.test = "McNemar";
    result.p = stats::mcnemar_exact(stats::count_pairs(paired.majorities));
  } else if (const auto flips = stats::sign_flip_test(d, design.resamples, design.seed)) {
    result.test = "sign flips";
    result.p = flips->p;
  }
  const auto ranks = stats::signed_rank_test(d, {.exact_up_to = 0});
  if (!ranks) return;
  result.wilcoxon_p = ranks->p;
  result.effect = ranks->z ? stats::effect_size_r(*ranks->z, d.size()) : 0;
}

/// Numbers for clusters, in the order of their first items. Where all items are of one, each is a
/// cluster of its own.
std::vector<std::size_t> clusters_of(const Paired& paired, std::span<const Item> items) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> clusters;
  for (const std::size_t item : paired.items)
    clusters.push_back(numbers.try_emplace(items[item].cluster, numbers.size()).first->second);
  if (numbers.size() < 2) std::iota(clusters.begin(), clusters.end(), std::size_t{0});
  return clusters;
}

void set_interval(const Paired& paired, const Values& d, std::span<const Item> items,
                  const Design& design, Comparison& result) {
  if (design.resamples == 0) return;
  const stats::BootstrapOptions options{design.resamples, design.seed, 1 - design.alpha};
  const auto clusters = clusters_of(paired, items);
  result.interval = stats::cluster_bootstrap_interval(d, clusters, options);
  if (paired.verdicts)
    result.kappa_interval = stats::kappa_interval(paired.majorities, clusters, options);
}

/// Single verdicts vary by D. Where no item changed, D is at most what so many items do not rule
/// out.
std::optional<double> detectable(const Values& d, const Comparison& result, double alpha) {
  const stats::PowerOptions options{.alpha = alpha};
  const auto deviation = stats::sample_stddev(d);
  double variance = deviation ? *deviation * *deviation : 0;
  if (result.verdicts && result.repetitions == 1) variance = *result.disagreement;
  if (variance > 0) return stats::detectable_difference(variance, d.size(), options);
  const auto unseen = stats::unseen_rate(d.size());
  return unseen ? stats::detectable_difference(*unseen, d.size(), options) : std::nullopt;
}

/// Over the items that every repetition has.
std::optional<double> floor_of(const Repetitions& side) {
  Repetitions whole(side.size());
  for (std::size_t i = 0; i < side.front().size(); ++i)
    if (answers_to(side, i).size() == side.size())
      for (std::size_t r = 0; r < side.size(); ++r) whole[r].push_back(side[r][i]);
  return stats::repetition_floor(whole);
}

/// Wrong answers can change too: more answers than verdicts do.
std::optional<double> other_answers(const std::vector<const Measured*>& first,
                                    const std::vector<const Measured*>& second) {
  if (first.size() != 1 || second.size() != 1) return std::nullopt;
  const auto &a = first[0]->texts, &b = second[0]->texts;
  std::size_t both = 0, other = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!a[i] || !b[i]) continue;
    ++both;
    other += *a[i] != *b[i] ? 1 : 0;
  }
  if (both == 0) return std::nullopt;
  return static_cast<double>(other) / static_cast<double>(both);
}

struct Place {
  std::size_t model, baseline, backend;
  const std::string& mode;
};

void fill(const Design& design, std::span<const Item> items, const Repetitions& first,
          const Repetitions& second, Comparison& result) {
  const Paired paired = pair_up(first, second);
  result.items = paired.items.size();
  result.missing = paired.missing;
  if (paired.items.empty()) return;
  result.verdicts = paired.verdicts;
  result.baseline = stats::mean(paired.first);
  result.score = stats::mean(paired.second);
  const Values d = differences(paired);
  set_agreement(paired, d, design.radius, result);
  set_tests(paired, d, design, result);
  set_interval(paired, d, items, design, result);
  result.detectable = detectable(d, result, design.alpha);
  result.floor = floor_of(second);
  result.baseline_floor = floor_of(first);
}

/// Ratios of counts that are nothing to nothing.
std::size_t undefined_in(const Repetitions& pooled) {
  return static_cast<std::size_t>(
      std::ranges::count_if(pooled, [](const Values& one) { return std::isnan(one.front()); }));
}

std::optional<Comparison> compare_one(const Design& design, const Observations& observations,
                                      const Grid& grid, const Place& place,
                                      const Measure& measure) {
  const auto first = grid.values(place.model, place.baseline, place.mode, measure);
  const auto second = grid.values(place.model, place.backend, place.mode, measure);
  if (first.empty() || second.empty()) return std::nullopt;
  Comparison result;
  result.model = place.model;
  result.backend = place.backend;
  result.mode = place.mode;
  result.measure = measure;
  result.repetitions = std::max(first.size(), second.size());
  if (measure.pooled) {
    const auto baseline = grid.score(place.model, place.baseline, place.mode, measure);
    const auto score = grid.score(place.model, place.backend, place.mode, measure);
    if (!baseline || !score) return std::nullopt;
    result.baseline = *baseline;
    result.score = *score;
    result.missing = undefined_in(first) + undefined_in(second);
    return result;
  }
  fill(design, observations.items[measure.benchmark], first, second, result);
  if (result.items == 0) return std::nullopt;
  result.other_answers =
      other_answers(grid.repetitions(place.model, place.baseline, place.mode, measure.benchmark),
                    grid.repetitions(place.model, place.backend, place.mode, measure.benchmark));
  return result;
}

/// The tests of one backend and mode are one family.
void adjust(const Design& design, std::vector<Comparison>& all) {
  for (std::size_t backend = 0; backend < design.backends.size(); ++backend)
    for (const std::string& mode : design.modes) {
      std::vector<Comparison*> family;
      Values p;
      for (Comparison& one : all)
        if (one.backend == backend && one.mode == mode && one.p) {
          family.push_back(&one);
          p.push_back(*one.p);
        }
      const Values adjusted = stats::holm(p);
      for (std::size_t i = 0; i < family.size(); ++i) family[i]->adjusted = adjusted[i];
    }
}

std::size_t baseline_of(const Design& design) {
  const auto found = std::ranges::find(design.backends, design.baseline, &StudyBackend::name);
  return static_cast<std::size_t>(found - design.backends.begin());
}

}  // namespace

std::vector<Comparison> compare(const Design& design, const Observations& observations) {
  const Grid grid(design, observations);
  const std::size_t baseline = baseline_of(design);
  std::vector<Comparison> all;
  for (std::size_t model = 0; model < design.models.size(); ++model)
    for (std::size_t backend = 0; backend < design.backends.size(); ++backend)
      for (const std::string& mode : design.modes)
        for (const Measure& measure : grid.measures()) {
          if (backend == baseline) continue;
          auto one =
              compare_one(design, observations, grid, {model, baseline, backend, mode}, measure);
          if (one) all.push_back(std::move(*one));
        }
  adjust(design, all);
  return all;
}

}  // namespace tare::study
