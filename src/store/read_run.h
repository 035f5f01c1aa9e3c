#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/run_record.h"
#include "store/find_run.h"

/// A finished run as another one is held against it, whether tare or lm-eval wrote it.
namespace tare::store {

/// A setting by its name for people, and its value; none where there is no such setting.
using Condition = std::pair<std::string, base::Value>;

/// What beside its documents decides a task's prompts, answers and scores.
struct TaskConditions {
  /// These change no prompt: answers and scores to the same prompts depend on them.
  std::vector<Condition> answering;
  /// These change prompts and choose documents: where these are equal, they do not matter.
  std::vector<Condition> asking;
};

/// Documents of a task, as the results count them; none where they do not tell.
struct CountedDocuments {
  std::optional<std::size_t> scored;  ///< that have a score, by the metric that most of them have
  /// That the samples hold. Of a run of lm-eval on chosen documents the results tell all of the
  /// split too, hence two.
  std::optional<std::size_t> least, most;
};

struct FinishedRun {
  RunFiles files;
  std::string writer;   ///< "tare 0.1.0", "lm-eval 0.4.13"
  std::string weights;  ///< SHA-256 of the model; "" if not known
  std::string backend;  ///< name and version; "" if not known
  core::RunRecord record;
  std::map<std::string, TaskConditions> tasks;
  std::map<std::string, CountedDocuments> documents;  ///< of each task
  std::vector<Condition> asking;  ///< of all tasks: template, system message, limit, ...
};

/// Reads the file of results. Error: it is none, or cannot be read.
base::Result<FinishedRun> read_run(const RunFiles& files);

/// The same of its text, for `files` that need not be there.
base::Result<FinishedRun> parse_run(const std::string& text, const RunFiles& files);

}  // namespace tare::store
