#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/run_record.h"

/// The files of a run. This room alone knows their field names (docs/formats/results.md).
namespace tare::store {

/// results.json: lm-eval's layout plus the "tare" block, indent 2. The same bytes whenever the same
/// is asked.
std::string results_json(const core::RunRecord& run);

/// samples_<task>.jsonl: one line a filter and document in lm-eval's layout, plus token ids and
/// full-precision log-likelihoods under "tare".
std::string samples_jsonl(const core::TaskRecord& task);

/// SHA-256 over the samples' doc, prompt and target hashes, filter after filter: equal hashes mean
/// equal documents, first prompts and targets.
std::string task_hash(const core::BuiltTask& task);

/// The samples file's name for a task. Characters that some file system refuses are written as %XX,
/// and a long name is cut and ends in a hash, so that no two tasks share a file.
std::string samples_file_name(const std::string& task);

/// Writes results.json last, so that a folder with one is a finished run. Returns what was written.
base::Result<std::vector<std::filesystem::path>> write_run(const core::RunRecord& run,
                                                           const std::filesystem::path& folder,
                                                           bool with_samples);

/// Removes files that a run which was killed left half-written. To be called by the only one that
/// writes into the folder.
void remove_leftovers(const std::filesystem::path& folder);

/// Removes results.json and execution.json, so that the folder counts as unfinished until it is
/// written again.
base::Status reopen_run(const std::filesystem::path& folder);

/// True if the folder holds the results of a run that ended.
base::Result<bool> holds_finished_run(const std::filesystem::path& folder);

}  // namespace tare::store
