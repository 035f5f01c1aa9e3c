#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "cli/command.h"
#include "cli/functions.h"
#include "cli/groups.h"
#include "cli/prepare.h"
#include "cli/progress_log.h"
#include "cli/run_options.h"
#include "core/execution.h"
#include "core/run_record.h"
#include "plan/plan.h"
#include "run/execute.h"

/// The steps from options to result files that `tare run` and `tare merge` have in common.
namespace tare::cli {

/// A run between its first check and its last file.
struct Session {
  Session(const RunOptions& run_options, std::vector<std::string> words)
      : options(run_options), command(std::move(words)) {}

  RunOptions options;
  std::vector<std::string> command;  ///< the words behind `tare run`
  worker::OpenFunctions functions;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  core::RunRecord record;
  core::Execution execution;
  std::vector<core::BuiltTask> tasks;
  std::vector<PlannedGroup> groups;
  plan::Plan plan;
  std::unique_ptr<backend::Backend> backend;
  ProgressLog progress_log;
  bool resident = false;  ///< the process did other work before and is no measure of this run
};

/// Since the run began: since the process did, unless that is resident.
double seconds_since_start(const Session& session);

/// Seconds since `since`, which then moves to now: phases are timed back to back.
double lap(std::chrono::steady_clock::time_point& since);

/// Begins a phase in which nothing is counted.
void enter(Session& session, run::Phase phase);

/// Requests that are asked of the model, or were.
std::size_t questions(const Session& session);

/// Of these, those that have an answer.
std::size_t answered(const Session& session);

/// "shard 2/7: ", or nothing of a whole run.
std::string shard_text(const Session& session);

/// To stderr, unless the user wants quiet.
void say(const RunOptions& options, const std::string& text);

/// Loads tasks and data.
base::Status load_tasks(Session& session);

/// Opens the backend through `open`, and plans. With load_tasks() before it everything that can be
/// wrong is found, before the expensive part.
using OpenBackend = std::function<base::Result<OpenedBackend>(const RunOptions&)>;
base::Status open_and_plan(Session& session, const OpenBackend& open);

/// How much is asked, once nothing can be refused any more.
void say_plan(const Session& session);

/// `tare run` from its first check to its last file.
base::Result<ExitCode> run_whole(Session& session, const OpenBackend& open);

/// Writes execution.json into `folder`.
base::Status finish_execution(Session& session, const std::filesystem::path& folder);

/// Lets the backend measure, before the first question, whether answers depend on how they are
/// computed.
base::Status probe(Session& session);

/// What probe() found; its warnings become the record's.
void say_invariance(Session& session);

/// Scores, writes the result files into `folder` and prints the table.
base::Result<ExitCode> finish(Session& session, const std::filesystem::path& folder,
                              run::Responses responses);

}  // namespace tare::cli
