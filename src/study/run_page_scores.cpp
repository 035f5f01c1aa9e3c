#include "study/run_page_scores.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "score/metrics.h"
#include "study/run_page_items.h"

namespace tare::study {
namespace {

using base::Dict;
using base::List;
using base::Value;
using store::SampledItem;

/// Standard errors on each side of a mean that are 95 % of a normal distribution.
constexpr double kNormal95 = 1.959963984540054;
constexpr double kRounding = 1e-9;

/// Items that are right, of all.
struct Share {
  std::size_t right = 0, all = 0;
};

template <class T>
Value or_none(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

/// Of a metric that is 0 or 1 for each item; none if it is not, or if the score is another one.
std::optional<Share> counted_share(const std::vector<SampledItem>& items,
                                   const core::Estimate& estimate) {
  const ItemJudge judge{estimate.filter, estimate.metric, true};
  Share share;
  for (const SampledItem& item : items) {
    const auto filter = std::ranges::find(item.filters, judge.filter, &store::ItemFilter::name);
    if (filter == item.filters.end() || filter->metrics.empty()) continue;
    const auto verdict = verdict_of(item, judge);
    if (!verdict) return std::nullopt;
    share.right += *verdict ? 1 : 0;
    ++share.all;
  }
  const double found = static_cast<double>(share.right) / static_cast<double>(share.all);
  if (share.all == 0 || !(std::abs(found - estimate.value) <= kRounding)) return std::nullopt;
  return share;
}

bool is_mean(const std::string& metric) {
  return std::ranges::any_of(score::metrics(), [&](const score::Metric& known) {
    return known.name == metric && known.aggregation == "mean";
  });
}

/// The same without the items. The squares of values from 0 to 1 add up to their sum only where
/// each is 0 or 1, so the standard error tells whether all are; at 0 and at 1 it is 0 for whatever
/// the metric is made of.
std::optional<Share> told_share(const core::Estimate& estimate,
                                std::optional<std::size_t> documents) {
  const double value = estimate.value;
  if (!documents || *documents < 2 || !estimate.standard_error || !(value >= 0 && value <= 1))
    return std::nullopt;
  const auto n = static_cast<double>(*documents);
  const double right = std::round(value * n);
  const double of_share = std::sqrt(value * (1 - value) / (n - 1));
  const bool fits = std::abs(right - value * n) <= kRounding * n &&
                    std::abs(*estimate.standard_error - of_share) <= kRounding;
  if (!fits || (of_share == 0 && !is_mean(estimate.metric))) return std::nullopt;
  return Share{static_cast<std::size_t>(right), *documents};
}

std::optional<Share> share_of(const core::Estimate& estimate, const Evidence& evidence) {
  if (evidence.items != nullptr && evidence.whole)
    if (const auto counted = counted_share(*evidence.items, estimate)) return counted;
  return told_share(estimate, evidence.documents);
}

/// True if the score and all values that it is made of are from 0 to 1, as far as these are there.
bool within_unit(const core::Estimate& estimate, const Evidence& evidence) {
  if (evidence.items == nullptr || !(estimate.value >= 0 && estimate.value <= 1)) return false;
  bool found = false;
  for (const SampledItem& item : *evidence.items)
    for (const store::ItemFilter& filter : item.filters)
      for (const auto& [name, value] : filter.metrics) {
        if (filter.name != estimate.filter || name != estimate.metric) continue;
        if (!value.is_number() || value.as_number() < 0 || value.as_number() > 1) return false;
        found = true;
      }
  return found;
}

Value error_interval(const core::Estimate& estimate, bool unit) {
  if (!estimate.standard_error || !std::isfinite(estimate.value)) return {};
  const double reach = kNormal95 * *estimate.standard_error;
  stats::Interval interval{estimate.value - reach, estimate.value + reach};
  if (unit) interval = {std::max(interval.low, 0.0), std::min(interval.high, 1.0)};
  return interval_value(interval, "standard error");
}

Value interval_of(const core::Estimate& estimate, const Evidence& evidence) {
  const auto share = share_of(estimate, evidence);
  if (!share) return error_interval(estimate, within_unit(estimate, evidence));
  const stats::Interval wilson = stats::wilson(share->right, share->all);
  return interval_value({std::max(wilson.low, 0.0), std::min(wilson.high, 1.0)}, "Wilson");
}

Value score_dict(const core::Estimate& estimate, Value interval) {
  Dict dict;
  dict.set("metric", estimate.metric);
  dict.set("filter", estimate.filter);
  dict.set("value", estimate.value);
  dict.set("standard_error", or_none(estimate.standard_error));
  dict.set("interval", std::move(interval));
  dict.set("higher_is_better", estimate.higher_is_better);
  return dict;
}

/// The names of all that is in a group, and in its groups. A file may name a group in itself.
std::set<std::string> members_of(const core::RunRecord& run, const core::GroupRecord& group) {
  std::set<std::string> members;
  std::vector<const core::GroupRecord*> open{&group};
  while (!open.empty()) {
    const core::GroupRecord& next = *open.back();
    open.pop_back();
    for (const std::string& child : next.children) {
      if (!members.insert(child).second) continue;
      for (const core::GroupRecord& inner : run.groups)
        if (inner.name == child) open.push_back(&inner);
    }
  }
  return members;
}

/// True if the group's score is made of shares alone.
bool of_shares(const ShownRun& run, const core::GroupRecord& group, const core::Estimate& score) {
  const std::set<std::string> members = members_of(run.record, group);
  bool found = false;
  for (const core::TaskRecord& task : run.record.tasks) {
    if (!members.contains(task.task.name)) continue;
    const auto counted = run.documents.find(task.task.name);
    for (const core::Estimate& estimate : task.score.estimates) {
      if (estimate.metric != score.metric) continue;
      if (counted == run.documents.end() || !told_share(estimate, counted->second.scored))
        return false;
      found = true;
    }
  }
  return found;
}

}  // namespace

Value interval_value(const stats::Interval& interval, const char* method) {
  Dict dict;
  dict.set("low", interval.low);
  dict.set("high", interval.high);
  dict.set("method", method);
  return dict;
}

Value score_value(const core::Estimate& estimate, const Evidence& evidence) {
  return score_dict(estimate, interval_of(estimate, evidence));
}

Value group_scores(const ShownRun& run) {
  List groups;
  for (const core::GroupRecord& group : run.record.groups) {
    List scores;
    for (const core::Estimate& estimate : group.estimates)
      scores.push_back(
          score_dict(estimate, error_interval(estimate, of_shares(run, group, estimate))));
    Dict dict;
    dict.set("name", group.name);
    dict.set("children", List(group.children.begin(), group.children.end()));
    dict.set("scores", std::move(scores));
    groups.emplace_back(std::move(dict));
  }
  return groups;
}

}  // namespace tare::study
