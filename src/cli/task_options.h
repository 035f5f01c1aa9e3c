#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/chat.h"
#include "task/task.h"

namespace CLI {
class App;
}

namespace tare::cli {

/// Which tasks, on which data, with which prompts: what `run`, `plan` and `validate` share.
struct TaskOptions {
  std::vector<std::string> tasks;
  std::vector<std::filesystem::path> include_paths;
  std::vector<std::filesystem::path> datasets;  ///< folders that hold org/name
  task::BuildOptions build;
  ChatOptions chat;
  std::vector<std::optional<std::int64_t>> seeds;  ///< python, numpy, torch, few-shot
  bool offline = false;       ///< data sets that are not on this machine are missing
  bool allow_python = false;  ///< functions without a native twin run in a Python process
  std::filesystem::path python = "python3";
  bool quiet = false;
};

/// The same as the command line gives it, before it is checked together.
struct RawTaskOptions {
  std::vector<std::string> tasks, include_paths, datasets, generation, metadata;
  std::string limit, samples, seed;
  std::optional<std::string> generation_mode;
  std::optional<std::int64_t> num_fewshot, repetitions;
  RawChatOptions chat;
};

/// Declares the options; `tasks` as --tasks, or as a positional argument too.
enum class TasksAs { option, positional };
void declare_task_options(CLI::App& app, TasksAs tasks, RawTaskOptions& raw, TaskOptions& options);

/// Reads the raw values into `options`. Errors name the option.
base::Status check_task_options(const RawTaskOptions& raw, TaskOptions& options);

}  // namespace tare::cli
