#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>

#include "cli/budget_watch.h"
#include "cli/command.h"
#include "cli/command_words.h"
#include "cli/earlier_run.h"
#include "cli/interrupt.h"
#include "cli/output_folder.h"
#include "cli/pin_options.h"
#include "cli/prepare.h"
#include "cli/progress_bar.h"
#include "cli/refusals.h"
#include "cli/report_page.h"
#include "cli/run_cache.h"
#include "cli/run_journal.h"
#include "cli/run_options.h"
#include "cli/run_record.h"
#include "cli/run_session.h"
#include "cli/speed_memory.h"
#include "cli/tell.h"
#include "run/execute.h"
#include "store/journal.h"
#include "store/results.h"

namespace tare::cli {
namespace {

using base::Result;
using Clock = std::chrono::steady_clock;

store::JournalHeader header_of(const Session& session) {
  return journal_header({session.options, session.tasks, session.groups}, session.plan,
                        *session.backend, session.record.invariance, session.command);
}

/// The folder's journal, or a new one. From here on the folder stays.
Result<store::Journal> open_journal(const Session& session, OutputFolder& folder,
                                    std::optional<EarlierRun> earlier) {
  if (earlier) {
    TARE_CHECK(earlier->journal.check(header_of(session)));
    folder.keep();
    return std::move(earlier->journal);
  }
  TARE_TRY(store::Journal journal, store::Journal::open(folder.path(), header_of(session)));
  folder.keep();
  return journal;
}

/// Answers that another run had are this run's from here on, and as durable.
base::Status add_cached(Session& session, store::Journal& journal, RunCache& cache,
                        std::vector<core::Answered>& known) {
  std::vector<core::Answered> cached = cache.look_up(known);
  if (cached.empty()) return {};
  TARE_CHECK(journal.append(cached));
  session.execution.answers.cache = cached.size();
  say(session.options,
      fmt::format("{} of {} answers from the response cache", cached.size(), questions(session)));
  known.insert(known.end(), std::make_move_iterator(cached.begin()),
               std::make_move_iterator(cached.end()));
  return {};
}

Result<run::Answers> open_answers(Session& session, store::Journal& journal, RunCache& cache) {
  run::Answers answers;
  TARE_TRY(answers.known, journal.answers());
  session.execution.answers.journal = answers.known.size();
  if (!answers.known.empty())
    say(session.options, fmt::format("resumed: {} of {} answers are in {}", answers.known.size(),
                                     questions(session), journal.path().string()));
  if (answers.known.size() < questions(session))
    TARE_CHECK(store::reopen_run(journal.path().parent_path()));
  TARE_CHECK(add_cached(session, journal, cache, answers.known));
  answers.keep = [&](std::span<const core::Answered> fresh) -> base::Status {
    TARE_CHECK(journal.append(fresh));
    cache.keep(fresh);
    return {};
  };
  answers.note_failed = [&](std::span<const core::Failed> failed) { return journal.note(failed); };
  return answers;
}

/// Error: the model was not opened for what is missing. It will be the next time: what marks a
/// finished run is gone by now.
base::Status check_all_there(const Session& session, const store::Journal& journal,
                             const run::Answers& answers) {
  const std::size_t missing = questions(session) - answers.known.size();
  if (missing == 0) return {};
  return base::input_error(
      fmt::format("{}: {} of {} answers are missing although the run had ended; the same command "
                  "again asks for them",
                  journal.path().string(), missing, questions(session)));
}

Result<run::Responses> ask(Session& session, const run::Answers& answers) {
  InterruptGuard interrupt;
  const std::string key = speed_key(session.options);
  const run::Speeds known = speed_memory().recall(key);
  ProgressBar bar(session.options.quiet, known);
  BudgetWatch budget(session, answers, known);
  std::optional<double> first;
  const auto on_progress = [&](const run::Progress& progress) {
    if (!first && progress.requests_done > progress.requests_failed)
      first = seconds_since_start(session);
    session.execution.answers.asked = progress.requests_done - progress.requests_failed;
    bar.show(progress);
    budget.sample();
    session.progress_log.write(progress);
  };
  Clock::time_point since = Clock::now();
  auto responses = run::execute(session.plan, session.tasks, *session.backend, answers,
                                {on_progress, interrupt.token()});
  bar.finish();
  session.execution.timings.score = lap(since);
  session.execution.budget = budget.finish(session.execution.timings.score);
  run::Speeds speeds = bar.speeds();
  speeds.watts = budget.watts();
  speed_memory().remember(key, speeds);
  session.execution.timings.to_first_result = first.value_or(0);
  return responses;
}

/// After a stop: what is there, and how to go on.
void say_how_to_resume(const Session& session, const store::Journal& journal) {
  const std::filesystem::path folder = journal.path().parent_path();
  say(session.options, fmt::format("{} of {} answers are in {}; go on with: {}", answered(session),
                                   questions(session), journal.path().string(),
                                   shell_line(resuming_words(session.command, folder))));
}

/// A part of a run has no results of its own.
Result<ExitCode> finish_shard(Session& session, const OutputFolder& folder) {
  TARE_CHECK(finish_execution(session, folder.path()));
  const std::size_t failed = questions(session) - answered(session);
  if (failed > 0)
    tell("tare: warning: {}{} of {} requests failed; the same command asks them again\n",
         shard_text(session), failed, questions(session));
  say(session.options,
      fmt::format(
          "{}done, {} answers are in {}; with all {} shards: tare merge SHARD... --output DIR",
          shard_text(session), answered(session), folder.path().string(),
          session.options.shard->count));
  return failed > 0 ? kDoneWithFailures : kDone;
}

base::Status write_run_report(const Session& session, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "report.html";
  TARE_CHECK(write_report({.runs = {folder}, .output = file}));
  say(session.options, fmt::format("report in {}", file.string()));
  return {};
}

}  // namespace

Result<ExitCode> run_whole(Session& session, const OpenBackend& open) {
  const RunOptions& options = session.options;
  TARE_CHECK(check_before_tasks(session.options));
  TARE_TRY(OutputFolder folder, OutputFolder::claim(options.output.value_or(default_output())));
  TARE_TRY(std::optional<EarlierRun> earlier, earlier_run(folder.path()));
  TARE_TRY(session.progress_log, ProgressLog::open(options.progress_log));
  TARE_CHECK(load_tasks(session));
  if (earlier) TARE_CHECK(check_before_loading(session, *earlier));
  TARE_CHECK(open_and_plan(session, how_to_open(earlier, open)));
  if (earlier) TARE_CHECK(check_before_probing(session, *earlier));
  TARE_CHECK(write_pin(options, *session.backend));
  say_plan(session);
  TARE_CHECK(probe(session));
  say_invariance(session);
  const bool complete = earlier && earlier->complete;
  TARE_TRY(store::Journal journal, open_journal(session, folder, std::move(earlier)));
  TARE_TRY(RunCache cache,
           RunCache::open(options.cache, *session.backend, session.record.invariance.verdict,
                          session.plan, session.tasks));
  TARE_TRY(const run::Answers answers, open_answers(session, journal, cache));
  if (complete) TARE_CHECK(check_all_there(session, journal, answers));
  auto responses = ask(session, answers);
  if (!responses) {
    say_how_to_resume(session, journal);
    return tl::unexpected(responses.error());
  }
  TARE_CHECK(journal.seal());
  if (options.shard) return finish_shard(session, folder);
  TARE_TRY(const ExitCode code, finish(session, folder.path(), std::move(*responses)));
  if (options.report) TARE_CHECK(write_run_report(session, folder.path()));
  return code;
}

ExitCode run_command(std::vector<std::string> args) {
  CLI::App app("Scores a model on lm-evaluation-harness tasks.", "tare run");
  const auto options = parse_run_options(app, args, ModelNeed::required);
  if (!options) return options.error();
  Session session(*options, std::move(args));
  const auto code = run_whole(session, open_backend);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
