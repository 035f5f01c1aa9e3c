#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/run_state.h"

/// Folders that a user names as those of runs.
namespace tare::cli {

/// Error: neither results nor a journal are there; what is, and what to name instead.
base::Status check_holds_run(const std::filesystem::path& folder);

/// The same, and error: the run has no results; how far it is and the command that goes on.
base::Status check_holds_results(const std::filesystem::path& folder);

/// The command that goes on with the run of `command` in `folder`, to be started in `started_in`.
std::vector<std::string> next_words(const std::vector<std::string>& command,
                                    const std::filesystem::path& started_in,
                                    const std::filesystem::path& folder);

/// The same; empty for a part of a run that is done.
std::vector<std::string> next_words(const store::RunState& state);

}  // namespace tare::cli
