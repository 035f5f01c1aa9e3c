#include "cli/run_session.h"

#include <fmt/format.h>

#include <utility>

#include "cli/capability_check.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/prompts.h"
#include "cli/run_record.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "plan/shard.h"
#include "report/console.h"
#include "report/invariance.h"
#include "run/probe.h"
#include "score/score.h"
#include "store/execution.h"
#include "store/results.h"

namespace tare::cli {
namespace {

using base::Result;
using Clock = std::chrono::steady_clock;

void warn(const core::Warning& warning) {
  tell("tare: warning: {}\n", warning.text);
}

void record_warnings(Session& session, std::vector<core::Warning> warnings) {
  for (core::Warning& warning : warnings) {
    warn(warning);
    session.record.warnings.push_back(std::move(warning));
  }
}

Result<plan::Plan> plan_work(Session& session) {
  const plan::EncodeOptions encoding{countable_context(session.backend->capabilities()),
                                     session.options.overlength, sampling_seed(session.options)};
  TARE_TRY(auto encoded,
           plan::encode_requests(session.tasks, session.backend->tokenizer(), encoding));
  record_warnings(session, plan::token_warnings(session.tasks, encoded));
  return plan::make_plan(std::move(encoded));
}

}  // namespace

double lap(Clock::time_point& since) {
  const auto now = Clock::now();
  return std::chrono::duration<double>(now - std::exchange(since, now)).count();
}

double seconds_since_start(const Session& session) {
  if (!session.resident) return seconds_since_process_start();
  return std::chrono::duration<double>(Clock::now() - session.start).count();
}

void say(const RunOptions& options, const std::string& text) {
  if (!options.quiet) tell("{}\n", text);
}

void enter(Session& session, run::Phase phase) {
  ProgressBar(session.options.quiet).enter(phase);
  session.progress_log.enter(phase);
}

std::size_t questions(const Session& session) {
  return session.plan.order.size() + session.plan.generations.size();
}

std::size_t answered(const Session& session) {
  const core::AnswerCounts& counts = session.execution.answers;
  return counts.asked + counts.journal + counts.cache;
}

std::string shard_text(const Session& session) {
  const auto& shard = session.options.shard;
  return shard ? fmt::format("shard {}/{}: ", shard->index, shard->count) : "";
}

base::Status load_tasks(Session& session) {
  Clock::time_point since = session.start;
  enter(session, run::Phase::load);
  TARE_TRY(session.functions, open_functions(session.options));
  TARE_TRY(PreparedTasks prepared, prepare_tasks(session.options));
  session.tasks = std::move(prepared.tasks);
  session.groups = std::move(prepared.groups);
  if (session.options.write_out)
    for (const core::BuiltTask& task : session.tasks) tell_text(prompts_text(task, 1));
  record_warnings(session, std::move(prepared.warnings));
  session.execution.timings.load_tasks = lap(since);
  return {};
}

base::Status open_and_plan(Session& session, const OpenBackend& open) {
  Clock::time_point since = Clock::now();
  TARE_TRY(OpenedBackend opened, open(session.options));
  session.backend = std::move(opened.backend);
  session.execution.warnings = std::move(opened.warnings);
  for (const core::Warning& warning : session.execution.warnings) warn(warning);
  TARE_CHECK(check_capabilities(session.tasks, *session.backend, session.options));
  record_warnings(session, capability_warnings(session.tasks, *session.backend, session.options));
  session.execution.timings.load_model = lap(since);
  enter(session, run::Phase::plan);
  TARE_TRY(session.plan, plan_work(session));
  if (session.options.shard)
    session.plan = plan::shard(std::move(session.plan), *session.options.shard);
  session.execution.timings.plan = lap(since);
  return {};
}

void say_plan(const Session& session) {
  say(session.options,
      fmt::format("{}{} requests of {} tasks; {} prompt {}, {} unique", shard_text(session),
                  questions(session), session.tasks.size(), session.plan.tokens.requested,
                  session.backend->capabilities().token_ids ? "tokens" : "bytes",
                  session.plan.tokens.unique));
}

base::Status probe(Session& session) {
  enter(session, run::Phase::probe);
  Clock::time_point since = Clock::now();
  InterruptGuard interrupt;
  core::Invariance& found = session.record.invariance;
  TARE_TRY(found,
           run::probe(session.plan.requests, session.tasks, *session.backend, interrupt.token()));
  session.execution.timings.probe = lap(since);
  return {};
}

void say_invariance(Session& session) {
  const core::Invariance& found = session.record.invariance;
  const base::Value settings = session.backend->identity().settings;
  const base::Value* tier = settings.find("cpu_tier");
  const std::string line = report::invariance_line(found, tier != nullptr ? tier->as_string() : "");
  if (!line.empty()) say(session.options, line);
  record_warnings(session, report::invariance_warnings(found));
}

namespace {

base::Status score_tasks(Session& session, run::Responses responses) {
  for (std::size_t i = 0; i < session.tasks.size(); ++i) {
    core::TaskRecord task{std::move(session.tasks[i]), std::move(responses[i]), {}};
    task.token_ids = session.backend->capabilities().token_ids;
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
    print_text(store::results_json(session.record) + "\n");
  if (!session.options.json && !session.options.quiet) {
    print_fitted(report::console_table(session.record), report::kSpareColumns);
  }
  for (const core::TaskRecord& task : session.record.tasks)
    for (const core::Warning& warning : task.score.warnings)
      tell("tare: warning: {}: {}\n", task.task.name, warning.text);
  say(session.options, fmt::format("results in {}", folder.string()));
}

}  // namespace

base::Status finish_execution(Session& session, const std::filesystem::path& folder) {
  fill_execution(session.execution, *session.backend, seconds_since_start(session));
  return store::write_execution(session.execution, folder);
}

Result<ExitCode> finish(Session& session, const std::filesystem::path& folder,
                        run::Responses responses) {
  enter(session, run::Phase::write);
  TARE_CHECK(score_tasks(session, std::move(responses)));
  fill_record(session.record, session.options, *session.backend, session.plan);
  session.record.python = python_identity(session.functions);
  TARE_CHECK(finish_execution(session, folder));
  TARE_TRY(const auto written, store::write_run(session.record, folder, session.options.samples));
  print_result(session, folder);
  return failures(session.record) == 0 ? kDone : kDoneWithFailures;
}

}  // namespace tare::cli
