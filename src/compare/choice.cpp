#include "compare/choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"

namespace tare::compare {
namespace {

using core::Estimate;
using core::TaskRecord;
using Names = std::vector<std::string>;

/// So many names are told at most.
constexpr std::size_t kNamed = 5;

bool holds(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

void add_new(Names& names, const std::string& name) {
  if (!holds(names, name)) names.push_back(name);
}

std::string with_filter(const Estimate& estimate) {
  return fmt::format("{},{}", estimate.metric, estimate.filter);
}

/// All names of the runs, in alphabetical order.
Chosen known_names(const std::vector<Side>& sides) {
  Chosen known;
  for (const Side& side : sides)
    for (const TaskRecord& task : side.run.record.tasks) {
      known.tasks.push_back(task.task.name);
      for (const Estimate& estimate : task.score.estimates) {
        known.metrics.push_back(estimate.metric);
        known.metrics.push_back(with_filter(estimate));
      }
    }
  for (Names* names : {&known.tasks, &known.metrics}) {
    std::ranges::sort(*names);
    names->erase(std::unique(names->begin(), names->end()), names->end());
  }
  return known;
}

base::Status check_names(const char* flag, const Names& wanted, const Names& known) {
  for (const std::string& name : wanted) {
    if (holds(known, name)) continue;
    Names told = known;
    std::erase_if(told, [](const std::string& one) { return one.ends_with(",none"); });
    auto near = base::nearest_names(name, told);
    if (near.empty()) near = told;
    if (near.size() > kNamed) near.resize(kNamed);
    return base::input_error(fmt::format("{} {}: is in none of the runs; wanted e.g. {}", flag,
                                         name, base::join_or(near)));
  }
  return {};
}

std::string list_text(Names names) {
  if (names.empty()) return "none";
  const std::size_t more = names.size() - std::min(names.size(), kNamed);
  names.resize(names.size() - more);
  const std::string text = fmt::format("{}", fmt::join(names, ", "));
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

/// " of --metric acc", "" where nothing was chosen.
std::string choice_text(const char* flag, const Names& chosen) {
  return chosen.empty() ? "" : fmt::format(" of {} {}", flag, fmt::join(chosen, ","));
}

Names task_names(const Side& side, const Chosen& chosen) {
  Names names;
  for (const TaskRecord& task : side.run.record.tasks)
    if (chosen.tasks.empty() || holds(chosen.tasks, task.task.name))
      names.push_back(task.task.name);
  return names;
}

/// Of the chosen tasks that the other run has too.
Names metric_names(const Side& side, const Side& other, const Chosen& chosen) {
  const Names others = task_names(other, chosen);
  Names names;
  for (const TaskRecord& task : side.run.record.tasks)
    if (holds(others, task.task.name))
      for (const Estimate& estimate : task.score.estimates)
        add_new(names, estimate.filter == "none" ? estimate.metric : with_filter(estimate));
  return names;
}

std::string both_files(const Side& first, const Side& second) {
  return fmt::format("{} and {}", first.run.files.results.string(),
                     second.run.files.results.string());
}

}  // namespace

std::vector<std::string> whole_metrics(const std::vector<Side>& sides,
                                       const std::vector<std::string>& words) {
  const Names known = known_names(sides).metrics;
  Names whole;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string both =
        i + 1 < words.size() ? fmt::format("{},{}", words[i], words[i + 1]) : "";
    const bool is_one = !both.empty() && holds(known, both) && !holds(known, words[i + 1]);
    whole.push_back(is_one ? both : words[i]);
    if (is_one) ++i;
  }
  return whole;
}

base::Status check_chosen(const std::vector<Side>& sides, const Chosen& chosen) {
  const Chosen known = known_names(sides);
  TARE_CHECK(check_names("--tasks", chosen.tasks, known.tasks));
  return check_names("--metric", chosen.metrics, known.metrics);
}

base::Status check_common_task(const Side& first, const Side& second, const Chosen& chosen) {
  const Names before = task_names(first, chosen), after = task_names(second, chosen);
  if (std::ranges::any_of(before, [&](const std::string& name) { return holds(after, name); }))
    return {};
  return base::input_error(
      fmt::format("{} have no task{} in common: {} in the first, {} in the second; wanted runs of "
                  "the same tasks",
                  both_files(first, second), choice_text("--tasks", chosen.tasks),
                  list_text(before), list_text(after)));
}

base::Status check_compared(const Side& first, const Side& second, const Chosen& chosen,
                            const PairedRuns& paired) {
  if (std::ranges::any_of(paired.series, [](const Series& one) { return !one.pairs.empty(); }))
    return {};
  if (!paired.series.empty())
    return base::input_error(
        fmt::format("{} have no document in common, so that there is nothing to compare; wanted "
                    "samples of the same documents",
                    both_files(first, second)));
  return base::input_error(fmt::format(
      "{} have no metric{} in common, so that there is nothing to compare: {} in the first, {} in "
      "the second; wanted a metric that both have",
      both_files(first, second), choice_text("--metric", chosen.metrics),
      list_text(metric_names(first, second, chosen)),
      list_text(metric_names(second, first, chosen))));
}

}  // namespace tare::compare
