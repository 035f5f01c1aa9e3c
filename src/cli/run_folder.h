#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/find_run.h"
#include "store/run_state.h"

/// Folders that a user names as those of runs.
namespace tare::cli {

/// Error: neither results nor a journal are there; what is, and what to name instead.
base::Status check_holds_run(const std::filesystem::path& folder);

/// The same, and error: the run has no results; how far it is and the command that goes on.
base::Status check_holds_results(const std::filesystem::path& folder);

/// The files of a finished run that tare or lm-eval wrote, named as store::find_run() takes it.
/// Error: there is none; of one of tare's that has not ended, how to go on.
base::Result<store::RunFiles> finished_run(const std::filesystem::path& named);

/// The folder of a finished run of tare. Error: there is none, or it is lm-eval's or a file alone,
/// of which `option` can tell nothing.
base::Result<std::filesystem::path> own_folder(const std::filesystem::path& named,
                                               std::string_view option);

/// The folder in which the files are.
std::filesystem::path folder_of(const store::RunFiles& files);

/// The command that goes on with the run of `command` in `folder`, to be started in `started_in`.
std::vector<std::string> next_words(const std::vector<std::string>& command,
                                    const std::filesystem::path& started_in,
                                    const std::filesystem::path& folder);

/// The same; empty for a part of a run that is done.
std::vector<std::string> next_words(const store::RunState& state);

}  // namespace tare::cli
