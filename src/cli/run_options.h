#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/model_spec.h"
#include "plan/encode.h"
#include "task/task.h"

namespace tare::cli {

/// Everything `tare run` was told, checked as far as that goes without opening a file.
struct RunOptions {
  ModelSpec model;
  std::vector<std::string> tasks;
  std::vector<std::filesystem::path> include_paths;
  std::vector<std::filesystem::path> datasets;  ///< folders that hold org/name
  task::BuildOptions build;
  std::vector<std::optional<std::int64_t>> seeds;  ///< python, numpy, torch, few-shot
  unsigned threads = 0;                            ///< 0: as many as the machine has
  std::string cpu_tier = "auto";
  plan::Overlength overlength = plan::Overlength::fail;
  std::optional<std::filesystem::path> output;  ///< none: a new folder under tare-runs/
  bool samples = true;
  bool quiet = false;
  bool json = false;
};

/// The options, or the exit code when the words asked for help.
struct ParsedRun {
  std::optional<RunOptions> options;
  int exit_code = 0;
};

base::Result<ParsedRun> parse_run_options(std::vector<std::string> args);

/// lm-eval spells flags with underscores: "--num_fewshot=5" becomes "--num-fewshot=5".
void dash_flags(std::vector<std::string>& args);

}  // namespace tare::cli
