#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <optional>

#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/functions.h"
#include "cli/interrupt.h"
#include "cli/output_folder.h"
#include "cli/prepare.h"
#include "cli/progress_bar.h"
#include "cli/prompts.h"
#include "cli/run_journal.h"
#include "cli/run_options.h"
#include "cli/run_record.h"
#include "cli/tell.h"
#include "plan/plan.h"
#include "report/console.h"
#include "run/execute.h"
#include "score/score.h"
#include "store/journal.h"
#include "store/results.h"

namespace tare::cli {
namespace {

using base::Result;
using Clock = std::chrono::steady_clock;

/// Seconds since `since`, which then moves to now: phases are timed back to back.
double lap(Clock::time_point& since) {
  const auto now = Clock::now();
  return std::chrono::duration<double>(now - std::exchange(since, now)).count();
}

void say(const RunOptions& options, const std::string& text) {
  if (!options.quiet) tell("{}\n", text);
}

/// A run between its first check and its last file.
struct Session {
  Session(const RunOptions& run_options, std::vector<std::string> words)
      : options(run_options), command(std::move(words)) {}

  RunOptions options;
  std::vector<std::string> command;  ///< the words behind `tare run`
  worker::OpenFunctions functions;
  Clock::time_point start = Clock::now();
  core::RunRecord record;
  std::vector<core::BuiltTask> tasks;
  std::vector<PlannedGroup> groups;
  plan::Plan plan;
  std::unique_ptr<backend::Backend> backend;
  std::size_t known = 0;     ///< answers that were there
  std::size_t answered = 0;  ///< answers that have come since
};

std::size_t questions(const Session& session) {
  return session.plan.order.size() + session.plan.generations.size();
}

void warn(const core::Warning& warning) {
  tell("tare: warning: {}\n", warning.text);
}

Result<plan::Plan> plan_work(Session& session) {
  const plan::EncodeOptions encoding{session.backend->capabilities().context_length,
                                     session.options.overlength, sampling_seed(session.options)};
  TARE_TRY(auto encoded,
           plan::encode_requests(session.tasks, session.backend->tokenizer(), encoding));
  for (core::Warning& warning : plan::token_warnings(session.tasks, encoded)) {
    warn(warning);
    session.record.warnings.push_back(std::move(warning));
  }
  return plan::make_plan(std::move(encoded));
}

/// Everything that can be wrong is found here, before the expensive part.
base::Status set_up(Session& session) {
  Clock::time_point since = session.start;
  TARE_TRY(session.functions, open_functions(session.options));
  TARE_TRY(PreparedTasks prepared, prepare_tasks(session.options));
  session.tasks = std::move(prepared.tasks);
  session.groups = std::move(prepared.groups);
  if (session.options.write_out)
    for (const core::BuiltTask& task : session.tasks) tell("{}", prompts_text(task, 1));
  session.record.timings.load_tasks = lap(since);
  TARE_TRY(OpenedBackend opened, open_backend(session.options));
  session.backend = std::move(opened.backend);
  session.record.warnings = std::move(prepared.warnings);
  session.record.warnings.insert(session.record.warnings.end(), opened.warnings.begin(),
                                 opened.warnings.end());
  for (const core::Warning& warning : session.record.warnings) warn(warning);
  TARE_CHECK(check_capabilities(session.tasks, *session.backend));
  session.record.timings.load_model = lap(since);
  TARE_TRY(session.plan, plan_work(session));
  session.record.timings.plan = lap(since);
  say(session.options,
      fmt::format("{} requests of {} tasks; {} prompt tokens, {} unique", questions(session),
                  session.tasks.size(), session.plan.tokens.requested, session.plan.tokens.unique));
  return {};
}

/// Opens the folder's journal, or starts it. From here on the folder stays.
Result<store::Journal> open_journal(const Session& session, OutputFolder& folder) {
  TARE_TRY(store::Journal journal,
           store::Journal::open(folder.path(),
                                journal_header(session.options, *session.backend, session.tasks,
                                               session.plan, session.command)));
  folder.keep();
  return journal;
}

Result<run::Answers> open_answers(Session& session, store::Journal& journal) {
  run::Answers answers;
  TARE_TRY(answers.known, journal.answers());
  session.known = answers.known.size();
  answers.keep = [&](std::span<const core::Answered> fresh) { return journal.append(fresh); };
  if (!answers.known.empty())
    say(session.options, fmt::format("resumed: {} of {} answers are in {}", answers.known.size(),
                                     questions(session), journal.path().string()));
  return answers;
}

Result<run::Responses> ask(Session& session, const run::Answers& answers) {
  InterruptGuard interrupt;
  ProgressBar bar(session.options.quiet);
  std::optional<double> first;
  const auto on_progress = [&](const run::Progress& progress) {
    if (!first) first = seconds_since_process_start();
    session.answered = progress.requests_done;
    bar.show(progress);
  };
  Clock::time_point since = Clock::now();
  auto responses = run::execute(session.plan, session.tasks, *session.backend, answers,
                                {on_progress, interrupt.token()});
  bar.finish();
  session.record.timings.score = lap(since);
  session.record.timings.to_first_result = first.value_or(0);
  return responses;
}

base::Status score_tasks(Session& session, run::Responses responses) {
  for (std::size_t i = 0; i < session.tasks.size(); ++i) {
    core::TaskRecord task{std::move(session.tasks[i]), std::move(responses[i]), {}};
    TARE_TRY(task.score,
             score::score_task(task.task, task.responses, session.options.build.functions));
    session.record.tasks.push_back(std::move(task));
  }
  score_groups(session.groups, session.record);
  return {};
}

std::size_t failures(const core::RunRecord& record) {
  std::size_t count = 0;
  for (const core::TaskRecord& task : record.tasks) {
    count += task.score.failed_documents;
    for (const core::Estimate& estimate : task.score.estimates)
      count += estimate.failure.empty() ? 0 : 1;
  }
  return count;
}

void print_result(const Session& session, const std::filesystem::path& folder) {
  if (session.options.json || session.options.show_config)
    fmt::print("{}\n", store::results_json(session.record));
  if (!session.options.json && !session.options.quiet) {
    fmt::print("{}", report::console_table(session.record));
  }
  for (const core::TaskRecord& task : session.record.tasks)
    for (const core::Warning& warning : task.score.warnings)
      tell("tare: warning: {}: {}\n", task.task.name, warning.text);
  say(session.options, fmt::format("results in {}", folder.string()));
}

Result<ExitCode> finish(Session& session, const OutputFolder& folder, run::Responses responses) {
  TARE_CHECK(score_tasks(session, std::move(responses)));
  fill_record(session.record, session.options, *session.backend, session.plan);
  session.record.python = python_identity(session.functions);
  session.record.timings.total = seconds_since_process_start();
  TARE_TRY(const auto written,
           store::write_run(session.record, folder.path(), session.options.samples));
  print_result(session, folder.path());
  return failures(session.record) == 0 ? kDone : kDoneWithFailures;
}

/// After a stop: what is there, and how to go on.
void say_how_to_resume(const Session& session, const store::Journal& journal) {
  say(session.options,
      fmt::format(
          "{} of {} answers are in {}; the same command with --output {} goes on from there",
          session.known + session.answered, questions(session), journal.path().string(),
          journal.path().parent_path().string()));
}

Result<ExitCode> run(Session& session) {
  const RunOptions& options = session.options;
  TARE_CHECK(open_chat(options.model, session.options.chat, session.options.build));
  TARE_CHECK(check_model(options));
  TARE_TRY(OutputFolder folder, OutputFolder::claim(options.output.value_or(default_output())));
  TARE_CHECK(set_up(session));
  TARE_TRY(store::Journal journal, open_journal(session, folder));
  TARE_TRY(const run::Answers answers, open_answers(session, journal));
  auto responses = ask(session, answers);
  if (!responses) {
    say_how_to_resume(session, journal);
    return tl::unexpected(responses.error());
  }
  TARE_CHECK(journal.seal());
  return finish(session, folder, std::move(*responses));
}

}  // namespace

ExitCode run_command(std::vector<std::string> args) {
  CLI::App app("Scores a model on lm-evaluation-harness tasks.", "tare run");
  const auto options = parse_run_options(app, args, ModelNeed::required);
  if (!options) return options.error();
  Session session(*options, std::move(args));
  const auto code = run(session);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
