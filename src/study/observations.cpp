#include "study/observations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "base/python.h"
#include "store/read_results.h"
#include "store/read_scores.h"

namespace tare::study {
namespace {

using base::Result;
using base::Status;
using base::Value;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// "acc", or "exact_match,strict" where a task has several filters.
std::string metric_name(const std::string& metric, const std::string& filter,
                        const std::set<std::string>& filters) {
  return filters.size() < 2 ? metric : metric + "," + filter;
}

std::optional<double> number_of(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? 1.0 : 0.0;
  if (value.is_number()) return value.as_number();
  return std::nullopt;
}

/// Ratios of counts over all items, although an item may have a number under their name.
bool is_ratio(std::string_view metric) {
  const std::string_view name = metric.substr(0, metric.find(','));
  return name == "ss" || name == "icat" || name.starts_with("ambig_bias_score");
}

/// The column that the study names, else the part of the task, else the task.
std::string cluster_of(const Benchmark& benchmark, const std::string& task,
                       const store::SampledScore& score) {
  const std::string& column = benchmark.cluster.empty() ? benchmark.strata : benchmark.cluster;
  const Value* found = column.empty() ? nullptr : score.document.find(column);
  if (found != nullptr) return base::python::str(*found);
  return score.subtask.empty() ? task : score.subtask;
}

/// The items of one benchmark, as they come up.
class Items {
 public:
  Items(const Benchmark& benchmark, std::vector<Item>& items)
      : benchmark_(benchmark), items_(items) {}

  /// The item's place. Error: it was another document before.
  Result<std::size_t> place(const std::string& task, const store::SampledScore& score) {
    const auto [at, fresh] = places_.try_emplace({task, score.doc_id}, items_.size());
    if (fresh)
      items_.push_back(
          {task, score.doc_id, cluster_of(benchmark_, task, score), score.document_hash});
    else if (items_[at->second].hash != score.document_hash)
      return base::input_error(
          fmt::format("task {}: document {} is not the one that other cells were asked; wanted the "
                      "same data in all cells",
                      task, score.doc_id));
    return at->second;
  }

 private:
  const Benchmark& benchmark_;
  std::vector<Item>& items_;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> places_;
};

void set_at(std::vector<double>& values, std::size_t place, double value) {
  if (values.size() <= place) values.resize(place + 1, kMissing);
  values[place] = value;
}

void add_score(const store::SampledScore& score, const std::set<std::string>& filters,
               std::size_t place, Measured& measured) {
  for (const auto& [name, value] : score.metrics) {
    const std::string metric = metric_name(name, score.filter, filters);
    const auto number = number_of(value);
    if (!number || is_ratio(metric)) continue;
    if (is_diagnostic(name))
      measured.unparsable += *number != 0 ? 1 : 0;
    else
      set_at(measured.items[metric], place, *number);
  }
}

Status read_task(const std::filesystem::path& folder, const std::string& task, Items& items,
                 Measured& measured) {
  TARE_TRY(const auto scores, store::read_scores(store::own_files(folder), task));
  std::set<std::int64_t> asked, failed;
  std::set<std::string> filters;
  for (const store::SampledScore& score : scores) filters.insert(score.filter);
  for (const store::SampledScore& score : scores) {
    TARE_TRY(const std::size_t place, items.place(task, score));
    add_score(score, filters, place, measured);
    if (measured.texts.size() <= place) measured.texts.resize(place + 1);
    if (!measured.texts[place]) measured.texts[place] = score.answer;
    measured.answers += asked.insert(score.doc_id).second ? 1 : 0;
    if (!score.metrics.empty() || !failed.insert(score.doc_id).second) continue;
    ++measured.failed;
    ++measured.failures[score.failure.empty() ? "no reason is known" : score.failure];
  }
  return {};
}

/// Values that only the results hold: of the group over all tasks where there is one, else of the
/// single task.
void read_pooled(const core::RunRecord& run, Measured& measured) {
  const auto take = [&](const std::vector<core::Estimate>& estimates) {
    std::set<std::string> filters;
    for (const core::Estimate& estimate : estimates) filters.insert(estimate.filter);
    for (const core::Estimate& estimate : estimates) {
      const std::string metric = metric_name(estimate.metric, estimate.filter, filters);
      if (!measured.items.contains(metric) && !is_diagnostic(estimate.metric))
        measured.pooled.try_emplace(metric, estimate.value);
    }
  };
  for (const core::GroupRecord& group : run.groups)
    if (group.children.size() >= run.tasks.size()) take(group.estimates);
  if (run.tasks.size() == 1) take(run.tasks.front().score.estimates);
}

Result<Measured> read_cell(const Design& design, const Cell& cell, Items& items) {
  Measured measured;
  measured.cell = cell;
  const std::filesystem::path folder = cell_folder(design, cell);
  TARE_TRY(const core::RunRecord run, store::read_results(folder));
  for (const core::TaskRecord& task : run.tasks) {
    auto status = read_task(folder, task.task.name, items, measured);
    if (!status) return base::in_context(cell_name(design, cell), status.error());
  }
  read_pooled(run, measured);
  return measured;
}

/// Only what is on a scale from 0 to 1 can be put beside the others.
bool fits(double raw, stats::Ideal ideal) {
  const double value = stats::calibrate(raw, ideal);
  return std::isnan(raw) || (value >= 0 && value <= 1);
}

/// Without a list all but the variant of a bias that the source does not have.
bool is_wanted(const Benchmark& benchmark, const std::string& metric) {
  if (benchmark.metrics.empty()) return !metric.starts_with("ambig_bias_score_scaled");
  return std::ranges::find(benchmark.metrics, metric) != benchmark.metrics.end();
}

/// Leaves out, in all cells, metrics that are not asked for or not on the common scale.
void drop_unfit(const Design& design, Observations& observations) {
  std::set<std::pair<std::size_t, std::string>> unfit;
  for (const Measured& cell : observations.cells) {
    for (const auto& [metric, values] : cell.items) {
      const stats::Ideal ideal = ideal_of(design, metric);  // clang 14 captures no bindings
      if (!std::ranges::all_of(values, [&](double raw) { return fits(raw, ideal); }))
        unfit.emplace(cell.cell.benchmark, metric);
    }
    for (const auto& [metric, value] : cell.pooled)
      if (!fits(value, ideal_of(design, metric))) unfit.emplace(cell.cell.benchmark, metric);
  }
  for (const auto& [benchmark, metric] : unfit)
    if (is_wanted(design.benchmarks[benchmark], metric))
      observations.notes.push_back(fmt::format("{}: {} is not on a scale from 0 to 1; left out",
                                               design.benchmarks[benchmark].name, metric));
  for (Measured& cell : observations.cells) {
    const auto gone = [&](const auto& entry) {
      return unfit.contains({cell.cell.benchmark, entry.first}) ||
             !is_wanted(design.benchmarks[cell.cell.benchmark], entry.first);
    };
    std::erase_if(cell.items, gone);
    std::erase_if(cell.pooled, gone);
  }
}

}  // namespace

bool is_diagnostic(std::string_view metric) {
  return metric == "unparsable" || metric == "bypass";
}

Result<Observations> observe(const Design& design, std::span<const Cell> finished) {
  Observations observations;
  observations.items.resize(design.benchmarks.size());
  std::vector<Items> items;
  for (std::size_t i = 0; i < design.benchmarks.size(); ++i)
    items.emplace_back(design.benchmarks[i], observations.items[i]);
  for (const Cell& cell : finished) {
    TARE_TRY(Measured measured, read_cell(design, cell, items[cell.benchmark]));
    observations.cells.push_back(std::move(measured));
  }
  for (Measured& cell : observations.cells) {
    const std::size_t size = observations.items[cell.cell.benchmark].size();
    for (auto& [metric, values] : cell.items) values.resize(size, kMissing);
    cell.texts.resize(size);
  }
  drop_unfit(design, observations);
  return observations;
}

}  // namespace tare::study
