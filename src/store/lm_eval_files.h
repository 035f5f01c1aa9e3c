#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"

namespace tare::store {

/// The files of a finished run of tare where and as lm-eval would have left them, for what looks
/// for them by name: `output`/MODEL/results_TIME.json, with the times of execution.json in it, and
/// samples_TASK_TIME.jsonl. TIME is the end of the run, UTC. Files of that name are replaced.
/// Returns what was written, the results last. Error: no finished run, a folder that cannot be
/// written.
base::Result<std::vector<std::filesystem::path>> write_lm_eval_files(
    const std::filesystem::path& run, const std::filesystem::path& output);

}  // namespace tare::store
