#include "cli/study_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <map>

#include "base/files.h"
#include "base/hash.h"
#include "base/nearest.h"
#include "base/python.h"
#include "cli/functions.h"
#include "cli/prepare.h"
#include "cli/run_options.h"
#include "report/table.h"
#include "run/forecast.h"
#include "run/progress.h"
#include "store/read_facts.h"
#include "store/results.h"
#include "study/selection.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Value;
using study::Benchmark;
using study::Stratum;
using Words = std::vector<std::string>;

constexpr std::string_view kSamples = "--samples=";

/// Words that say where things are or how fast they are done; a finished cell may differ in them.
constexpr std::array<std::string_view, 8> kOfNoMatter{"--threads", "--batch-size",   "--cache",
                                                      "--offline", "--include-path", "--datasets",
                                                      "--python",  "--cpu-tier"};

/// The words that a cell's results depend on; documents by their hash, since there may be many.
Words recorded_words(const Words& words) {
  Words kept;
  for (const std::string& word : words) {
    const std::string_view flag = std::string_view(word).substr(0, word.find('='));
    if (std::ranges::find(kOfNoMatter, flag) != kOfNoMatter.end()) continue;
    kept.push_back(word.starts_with(kSamples)
                       ? fmt::format("{}sha256:{}", kSamples, base::sha256_hex(word))
                       : word);
  }
  return kept;
}

/// The value of the column that the study names, else the part of the benchmark that the task
/// names, else "". Error: there is no such column.
Result<std::string> stratum_of(const Benchmark& benchmark, const core::BuiltTask& task,
                               std::size_t document) {
  if (benchmark.strata.empty())
    return task.subtasks.empty() ? std::string() : task.subtasks[document];
  const Value* found = task.documents[document].find(benchmark.strata);
  if (found != nullptr) return base::python::str(*found);
  return base::input_error(fmt::format("strata: document {} of task {} has no column '{}'",
                                       task.doc_ids[document], task.name, benchmark.strata));
}

/// A task's documents by their strata.
base::Status add_strata(const Benchmark& benchmark, const core::BuiltTask& task,
                        std::vector<Stratum>& strata) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < task.documents.size(); ++i) {
    TARE_TRY(const std::string name, stratum_of(benchmark, task, i));
    const auto [at, fresh] = places.try_emplace(name, strata.size());
    if (fresh) strata.push_back({task.name, name, {}});
    strata[at->second].documents.push_back(task.doc_ids[i]);
  }
  return {};
}

Result<std::vector<core::BuiltTask>> build_tasks(const study::Design& design,
                                                 const Benchmark& benchmark) {
  CLI::App app("", "tare run");
  TARE_TRY(auto options,
           read_run_options(app, study::task_words(design, benchmark), ModelNeed::optional));
  if (!options) return base::usage_error("the words of its run ask for help");
  options->quiet = true;
  TARE_TRY(const worker::OpenFunctions functions, open_functions(*options));
  TARE_TRY(PreparedTasks prepared, prepare_tasks(*options));
  return std::move(prepared.tasks);
}

/// What is left once the documents are chosen: many studies hold more text than there is memory.
void drop_texts(core::BuiltTask& task) {
  task.documents.clear();
  task.doc_ids.clear();
  task.golds.clear();
  task.subtasks.clear();
  task.requests.clear();
}

/// Adds what the metrics of a task are called in the tables.
void add_metrics(const core::BuiltTask& task, PlannedItems& items) {
  for (const core::MetricSpec& metric : task.metrics)
    for (const core::FilterPipeline& filter : task.filters)
      items.metrics.push_back(
          task.filters.size() < 2 ? metric.name : fmt::format("{},{}", metric.name, filter.name));
  items.more_metrics = items.more_metrics || task.process_results.has_value();
}

/// What is wrong if no task has the metric, as far as that is known; else "".
std::string metric_fault(const std::string& metric, const PlannedItems& items) {
  if (std::ranges::find(items.metrics, metric) != items.metrics.end()) return "";
  std::vector<std::string> known = items.metrics;
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const auto near = base::nearest_names(metric, known, 1);
  if (near.empty() && (items.more_metrics || known.empty())) return "";
  return fmt::format(
      "no task has a metric '{}'{}", metric,
      near.empty() ? "; wanted " + base::join_or(known) : ", did you mean " + near.front() + "?");
}

/// A line for each metric that no task has. Ideals wait until all benchmarks can be built.
Words unknown_metrics(const StudyPlan& plan) {
  PlannedItems all;
  Words lines;
  bool built = true;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    const Benchmark& benchmark = plan.design.benchmarks[i];
    const PlannedItems& items = plan.items[i];
    for (const std::string& metric : benchmark.metrics)
      if (const std::string fault = metric_fault(metric, items); !fault.empty())
        lines.push_back(fmt::format("benchmarks: {}: metrics: {}", benchmark.name, fault));
    all.metrics.insert(all.metrics.end(), items.metrics.begin(), items.metrics.end());
    all.more_metrics = all.more_metrics || items.more_metrics;
    built = built && !items.tasks.empty();
  }
  if (!built) return lines;
  for (const auto& [metric, ideal] : plan.design.ideals)
    if (const std::string fault = metric_fault(metric, all); !fault.empty())
      lines.push_back("ideals: " + fault);
  return lines;
}

Result<PlannedItems> draw(const study::Design& design, const Benchmark& benchmark) {
  TARE_TRY(auto tasks, build_tasks(design, benchmark));
  std::vector<Stratum> strata;
  PlannedItems items;
  for (const core::BuiltTask& task : tasks) {
    TARE_CHECK(add_strata(benchmark, task, strata));
    add_metrics(task, items);
    items.whole += task.documents.size();
  }
  std::ranges::for_each(tasks, drop_texts);
  items.tasks = std::move(tasks);
  items.part = std::min(items.whole, benchmark.limit.value_or(items.whole));
  if (!benchmark.limit) return items;
  items.selection = study::select(strata, *benchmark.limit, design.seed);
  for (const core::BuiltTask& task : items.tasks)
    if (!items.selection->contains(task.name))
      return base::input_error(
          fmt::format("limit: {} leaves task {} without a document; wanted at least {}, one for "
                      "each stratum",
                      *benchmark.limit, task.name, strata.size()));
  return items;
}

/// What the finished cell was told and what it would be told now; "" if that is the same.
std::string difference(const PlannedCell& cell, const Words& before) {
  const Words now = recorded_words(cell.words);
  if (before.empty() || before == now) return "";
  Words gone, come;
  std::ranges::copy_if(before, std::back_inserter(gone), [&](const std::string& word) {
    return std::ranges::find(now, word) == now.end();
  });
  std::ranges::copy_if(now, std::back_inserter(come), [&](const std::string& word) {
    return std::ranges::find(before, word) == before.end();
  });
  return fmt::format(
      "run with {}, but the study file says {}; wanted the same, or another `output`",
      gone.empty() ? "less" : fmt::format("{}", fmt::join(gone, " ")),
      come.empty() ? "less" : fmt::format("{}", fmt::join(come, " ")));
}

/// A line for each way in which finished cells answer another question than the planned one.
Words changed_questions(const StudyPlan& plan) {
  std::map<std::string, Words> cells;
  for (const PlannedCell& cell : plan.cells)
    if (!cell.change.empty()) cells[cell.change].push_back(cell.name);
  Words lines;
  for (const auto& [text, names] : cells)
    lines.push_back(names.size() == 1 ? fmt::format("cell {} was {}", names.front(), text)
                                      : fmt::format("{} cells (first {}) were {}", names.size(),
                                                    names.front(), text));
  return lines;
}

Result<PlannedCell> plan_cell(const StudyPlan& plan, const study::Cell& cell) {
  PlannedCell planned;
  planned.cell = cell;
  planned.name = study::cell_name(plan.design, cell);
  planned.folder = study::cell_folder(plan.design, cell);
  const PlannedItems& items = plan.items[cell.benchmark];
  TARE_TRY(planned.words,
           study::run_words(plan.design, cell, items.selection ? &*items.selection : nullptr));
  TARE_TRY(planned.finished, store::holds_finished_run(planned.folder));
  const auto known = plan.ledger.find(planned.name);
  if (known == plan.ledger.end()) return planned;
  planned.failure = known->second.failure;
  planned.failed_items = known->second.failed_items;
  if (planned.finished && !items.tasks.empty())
    planned.change = difference(planned, known->second.words);
  return planned;
}

}  // namespace

Words ledger_words(const PlannedCell& cell) {
  return recorded_words(cell.words);
}

fs::path trial_folder(const StudyPlan& plan, const PlannedCell& cell) {
  const study::Cell& of = cell.cell;
  return plan.design.output / "trials" / plan.design.models[of.model].name /
         plan.design.backends[of.backend].name / plan.design.benchmarks[of.benchmark].name;
}

void add_pace(StudyPlan& plan, const PlannedCell& cell, const fs::path& folder) {
  const auto facts = store::read_facts(folder);
  if (facts && facts->asked > 0)
    plan.paces.push_back({cell.cell, facts->load_seconds, facts->score_seconds, facts->asked});
}

Result<StudyPlan> plan_study(const fs::path& file) {
  auto text = base::read_file(file);
  if (!text) return base::input_error(text.error().text);
  StudyPlan plan;
  TARE_TRY(plan.design, study::read_design(*text, file.string()));
  TARE_TRY(plan.ledger, store::read_ledger(plan.design.output));
  for (const Benchmark& benchmark : plan.design.benchmarks) {
    auto items = draw(plan.design, benchmark);
    if (!items)
      plan.refusals.push_back(
          fmt::format("benchmarks: {}: {}", benchmark.name, items.error().text));
    plan.items.push_back(items ? std::move(*items) : PlannedItems());
  }
  std::ranges::copy(unknown_metrics(plan), std::back_inserter(plan.refusals));
  for (const study::Cell& cell : study::cells_of(plan.design)) {
    TARE_TRY(PlannedCell planned, plan_cell(plan, cell));
    plan.cells.push_back(std::move(planned));
  }
  std::ranges::copy(changed_questions(plan), std::back_inserter(plan.refusals));
  for (const PlannedCell& cell : plan.cells)
    if (cell.finished) add_pace(plan, cell, cell.folder);
  return plan;
}

std::size_t questions_in(const StudyPlan& plan, const PlannedCell& cell) {
  return plan.items[cell.cell.benchmark].part;
}

std::optional<double> cell_seconds(const StudyPlan& plan, const PlannedCell& cell) {
  return study::expected_seconds(cell.cell, questions_in(plan, cell), plan.paces);
}

namespace {

bool same_row(const PlannedCell& a, const PlannedCell& b) {
  return a.cell.model == b.cell.model && a.cell.backend == b.cell.backend &&
         a.cell.mode == b.cell.mode && a.cell.benchmark == b.cell.benchmark;
}

}  // namespace

std::optional<double> seconds_left(const StudyPlan& plan) {
  double seconds = 0;
  const PlannedCell* before = nullptr;
  for (const PlannedCell& cell : plan.cells) {
    if (cell.finished) continue;
    const auto own = cell_seconds(plan, cell);
    if (!own) return std::nullopt;
    seconds += *own;
    const bool loads = before == nullptr || before->cell.model != cell.cell.model ||
                       before->cell.backend != cell.cell.backend;
    if (loads) seconds += study::expected_load(cell.cell, plan.paces).value_or(0);
    before = &cell;
  }
  return seconds;
}

std::vector<study::FailedCell> failed_cells(const StudyPlan& plan) {
  std::vector<study::FailedCell> failed;
  for (const PlannedCell& cell : plan.cells)
    if (!cell.finished && !cell.failure.empty()) failed.push_back({cell.cell, cell.failure});
  return failed;
}

std::string plan_text(const StudyPlan& plan) {
  const study::Design& design = plan.design;
  report::Table table{"plan",
                      fmt::format("Study {}", design.name),
                      {"Model", "Backend", "Mode", "Benchmark", "Cells", "Finished", "Failed",
                       "Questions", "Time a cell"},
                      {},
                      4,
                      {}};
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const PlannedCell& first = plan.cells[i];
    const auto earlier = std::find_if(plan.cells.begin(), plan.cells.end(),
                                      [&](const PlannedCell& one) { return same_row(one, first); });
    if (&*earlier != &first) continue;
    std::size_t cells = 0, finished = 0, failed = 0;
    for (const PlannedCell& one : plan.cells) {
      if (!same_row(one, first)) continue;
      ++cells;
      finished += one.finished ? 1 : 0;
      failed += !one.finished && !one.failure.empty() ? 1 : 0;
    }
    const auto seconds = cell_seconds(plan, first);
    table.rows.push_back({design.models[first.cell.model].name,
                          design.backends[first.cell.backend].name, first.cell.mode,
                          design.benchmarks[first.cell.benchmark].name, fmt::format("{}", cells),
                          fmt::format("{}", finished), fmt::format("{}", failed),
                          fmt::format("{}", questions_in(plan, first)),
                          seconds ? run::clock_text(*seconds) : "unknown"});
  }
  std::string text = report::markdown(table) + "\n";
  for (const std::string& line : study::failure_lines(design, failed_cells(plan)))
    text += line + "\n";
  const auto left = seconds_left(plan);
  const auto open = std::ranges::count(plan.cells, false, &PlannedCell::finished);
  text += fmt::format("{} of {} cells are to be run in {}; time: {}\n", open, plan.cells.size(),
                      design.output.string(),
                      left ? "about " + run::clock_text(*left) : "unknown until they are tried");
  return text;
}

}  // namespace tare::cli
