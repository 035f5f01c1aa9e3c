#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tare::cli {

/// The exit codes of the contract (docs/architecture.md, "Exit codes").
enum ExitCode : int {
  kDone = 0,
  kWorkFailed = 1,
  kWrongInput = 2,
  kDoneWithFailures = 3,
  kInterrupted = 130,
};

ExitCode exit_code(const base::Error& error);

/// Prints "tare: TEXT" on stderr and gives the exit code.
ExitCode report(const base::Error& error);

/// One sub-command. `args` are the words after its name.
struct Command {
  std::string_view name;
  std::string_view summary;
  ExitCode (*run)(std::vector<std::string> args);
};

/// All of them, in the order in which help lists them.
std::span<const Command> commands();
/// Null if there is none of that name.
const Command* find_command(std::string_view name);

ExitCode run_command(std::vector<std::string> args);
ExitCode plan_command(std::vector<std::string> args);
ExitCode merge_command(std::vector<std::string> args);
ExitCode report_command(std::vector<std::string> args);
ExitCode show_command(std::vector<std::string> args);
ExitCode fetch_command(std::vector<std::string> args);
ExitCode quantize_command(std::vector<std::string> args);
ExitCode validate_command(std::vector<std::string> args);
ExitCode ls_command(std::vector<std::string> args);
ExitCode doctor_command(std::vector<std::string> args);
ExitCode study_command(std::vector<std::string> args);
ExitCode compare_command(std::vector<std::string> args);
ExitCode floor_command(std::vector<std::string> args);
ExitCode completions_command(std::vector<std::string> args);
ExitCode man_command(std::vector<std::string> args);

}  // namespace tare::cli
