#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>

#include "base/files.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "cli/parse.h"
#include "cli/study_check.h"
#include "cli/study_json.h"
#include "cli/study_plan.h"
#include "cli/study_report.h"
#include "cli/study_worker.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "run/progress.h"
#include "store/study_ledger.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;
using Words = std::vector<std::string>;

struct StudyOptions {
  fs::path file;
  bool resume = false;
  bool dry_run = false;
  bool report_only = false;
  bool trial = true;
  bool quiet = false;
  bool json = false;
};

/// Documents that are asked to see how long an answer takes.
constexpr std::size_t kTried = 2;

/// Tasks that are files have to be asked all, since a run is told of tasks by their files' names.
bool has_files(const std::vector<std::string>& tasks) {
  return std::ranges::any_of(tasks, [](const std::string& t) { return t.ends_with(".yaml"); });
}

/// The first documents of a selection; of each task one where all tasks have to be asked.
study::Selection some_of(const study::Selection& all, bool each) {
  study::Selection some;
  std::size_t taken = 0;
  for (const auto& [task, documents] : all)
    for (const std::size_t document : documents)
      if (each ? !some.contains(task) : taken++ < kTried) some[task].push_back(document);
  return some;
}

/// The words of a cell's run with few documents, and so perhaps fewer tasks.
Result<Words> trial_words(const StudyPlan& plan, const PlannedCell& cell) {
  study::Design design = plan.design;
  study::Benchmark& benchmark = design.benchmarks[cell.cell.benchmark];
  const auto& selection = plan.items[cell.cell.benchmark].selection;
  study::Selection some;
  if (selection) {
    const bool each = has_files(benchmark.tasks);
    some = some_of(*selection, each);
    if (!each) {
      benchmark.tasks.clear();
      for (const auto& entry : some) benchmark.tasks.push_back(entry.first);
    }
  }
  TARE_TRY(Words words, study::run_words(design, cell.cell, selection ? &some : nullptr));
  if (!selection) words.push_back(fmt::format("--limit={}", kTried));
  words.push_back("--output=" + trial_folder(plan, cell).string());
  words.emplace_back("--quiet");
  return words;
}

bool is_known(const StudyPlan& plan, const PlannedCell& cell) {
  for (const study::Pace& pace : plan.paces)
    if (pace.cell.model == cell.cell.model && pace.cell.backend == cell.cell.backend &&
        pace.cell.benchmark == cell.cell.benchmark)
      return true;
  return false;
}

/// Asks a few questions wherever nothing is known of a model, backend and benchmark. What fails
/// here fails again in its cell, with the same reason.
Status try_out(StudyPlan& plan, RunProcess& process, const std::stop_token& stop) {
  for (const PlannedCell& cell : plan.cells) {
    if (cell.finished || is_known(plan, cell)) continue;
    const fs::path folder = trial_folder(plan, cell);
    std::error_code absent;
    if (fs::exists(folder, absent)) continue;
    TARE_TRY(const Words words, trial_words(plan, cell));
    TARE_TRY(const RunOutcome outcome, process.run(words, stop));
    if (outcome.reason.empty()) add_pace(plan, cell, folder);
  }
  return {};
}

/// The paces of trials that were made before.
void recall_trials(StudyPlan& plan) {
  for (const PlannedCell& cell : plan.cells)
    if (!cell.finished && !is_known(plan, cell)) add_pace(plan, cell, trial_folder(plan, cell));
}

/// What a cell's run is told, with its place in the ledger.
Status run_cell(StudyPlan& plan, PlannedCell& cell, RunProcess& process,
                const std::stop_token& stop) {
  store::LedgerEntry& entry = plan.ledger[cell.name];
  entry.words = ledger_words(cell);
  entry.failure.clear();
  TARE_CHECK(store::write_ledger(plan.ledger, plan.design.output));
  Words words = cell.words;
  words.push_back("--output=" + cell.folder.string());
  words.emplace_back("--quiet");
  TARE_TRY(const RunOutcome outcome, process.run(words, stop));
  if (outcome.code == kInterrupted) return base::fail(base::ErrorKind::interrupted, outcome.reason);
  cell.finished = outcome.code == kDone || outcome.code == kDoneWithFailures;
  cell.failure = entry.failure = cell.finished ? "" : outcome.reason;
  cell.failed_items = entry.failed_items = outcome.code == kDoneWithFailures;
  if (cell.finished) add_pace(plan, cell, cell.folder);
  return store::write_ledger(plan.ledger, plan.design.output);
}

class CellLog {
 public:
  CellLog(std::size_t cells, bool quiet) : cells_(cells), quiet_(quiet) {}

  void tell_of(const StudyPlan& plan, const PlannedCell& cell, double seconds) {
    ++done_;
    if (quiet_) return;
    const auto left = seconds_left(plan);
    tell("cell {}/{} {}: {}, {:.1f} s; {}\n", done_, cells_, cell.name,
         !cell.finished      ? "failed, " + cell.failure
         : cell.failed_items ? "done, some items failed"
                             : "done",
         seconds, left ? run::clock_text(*left) + " left" : "time left unknown");
  }

 private:
  std::size_t cells_ = 0, done_ = 0;
  bool quiet_ = false;
};

bool is_open(const PlannedCell& cell, const StudyOptions& options) {
  return !cell.finished || (options.resume && cell.failed_items);
}

Status run_cells(StudyPlan& plan, RunProcess& process, const StudyOptions& options,
                 const std::stop_token& stop) {
  std::size_t open = 0;
  for (const PlannedCell& cell : plan.cells) open += is_open(cell, options) ? 1 : 0;
  CellLog log(open, options.quiet);
  for (PlannedCell& cell : plan.cells) {
    if (!is_open(cell, options)) continue;
    const auto start = std::chrono::steady_clock::now();
    TARE_CHECK(run_cell(plan, cell, process, stop));
    log.tell_of(plan, cell,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return {};
}

Status run_study(StudyPlan& plan, const StudyOptions& options) {
  TARE_CHECK(base::ensure_writable_folder(plan.design.output));
  const auto lock = base::FolderLock::take(plan.design.output);
  if (!lock)
    return base::input_error(
        fmt::format("{}: another tare is at work in it; wait for it", plan.design.output.string()));
  InterruptGuard interrupt;
  RunProcess process;
  if (options.trial) TARE_CHECK(try_out(plan, process, interrupt.token()));
  if (!options.quiet) tell_text(plan_text(plan));
  auto status = run_cells(plan, process, options, interrupt.token());
  if (!status && status.error().kind == base::ErrorKind::interrupted)
    return base::in_context("the study was stopped; the same command goes on from there",
                            status.error());
  return status;
}

ExitCode code_of(const StudyPlan& plan) {
  for (const PlannedCell& cell : plan.cells)
    if (!cell.finished || cell.failed_items) return kDoneWithFailures;
  return kDone;
}

/// Error: all that is refused, in one text.
Status check_accepted(const StudyPlan& plan, const fs::path& file) {
  if (plan.refusals.empty()) return {};
  if (plan.refusals.size() == 1)
    return base::input_error(fmt::format("{}: {}", file.string(), plan.refusals.front()));
  return base::input_error(fmt::format("{}: {} things are wrong, and nothing was run:\n  {}",
                                       file.string(), plan.refusals.size(),
                                       fmt::join(plan.refusals, "\n  ")));
}

void print_json(const base::Value& value) {
  print_text(base::json::dump(value, {.indent = 2}) + "\n");
}

Result<ExitCode> tell_plan(const StudyPlan& plan, const StudyOptions& options) {
  if (options.json)
    print_json(plan_value(plan));
  else
    print_fitted(plan_text(plan));
  TARE_CHECK(check_accepted(plan, options.file));
  return kDone;
}

Result<ExitCode> tell_report(const StudyPlan& plan, const StudyOptions& options) {
  TARE_TRY(const auto findings, gather(plan));
  TARE_TRY(const fs::path folder, write_report(findings));
  if (options.json)
    print_json(study_value(plan, findings, folder));
  else if (!options.quiet)
    print_report(findings);
  if (!options.quiet) tell("report in {}\n", (folder / "report.html").string());
  return code_of(plan);
}

Result<ExitCode> do_study(const StudyOptions& options) {
  if (options.dry_run && options.report_only)
    return base::usage_error(
        "--dry-run and --report-only exclude each other: one tells what would be run, the other "
        "what was; leave one out");
  TARE_TRY(StudyPlan plan, plan_study(options.file));
  std::error_code absent;
  if (options.resume && !fs::is_directory(plan.design.output, absent))
    return base::usage_error(
        fmt::format("--resume: there is no {}; leave --resume out to begin the study",
                    plan.design.output.string()));
  recall_trials(plan);
  if (!options.report_only) std::ranges::copy(refusals_of(plan), std::back_inserter(plan.refusals));
  if (options.dry_run) return tell_plan(plan, options);
  TARE_CHECK(check_accepted(plan, options.file));
  if (!options.report_only) TARE_CHECK(run_study(plan, options));
  return tell_report(plan, options);
}

}  // namespace

ExitCode study_command(std::vector<std::string> args) {
  CLI::App app("Runs models through backends on benchmarks and compares the backends.",
               "tare study");
  StudyOptions options;
  app.add_option("file", options.file, "YAML file of the study")->required()->type_name(kFile);
  app.add_flag("--resume", options.resume, "ask failed items of finished cells again too");
  app.add_flag("--dry-run", options.dry_run, "print the cells and the time they take; run nothing");
  app.add_flag("--report-only", options.report_only, "report on what is there; run nothing");
  app.add_flag("!--no-trial", options.trial, "do not try out how fast each backend is before");
  app.add_flag("--quiet,-q", options.quiet, "no progress and no tables");
  app.add_flag("--json", options.json, "print a JSON object instead of tables");
  if (const auto code = parse(app, std::move(args))) return *code;
  const auto code = do_study(options);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
