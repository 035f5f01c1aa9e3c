#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "cli/model_spec.h"
#include "cli/task_options.h"
#include "plan/encode.h"

namespace tare::cli {

/// Everything `tare run` was told, checked as far as that goes without opening a file.
struct RunOptions : TaskOptions {
  ModelSpec model;
  unsigned threads = 0;  ///< 0: as many as the machine has
  std::string cpu_tier = "auto";
  plan::Overlength overlength = plan::Overlength::fail;
  std::optional<std::filesystem::path> output;  ///< none: a new folder under tare-runs/
  bool samples = true;
  bool json = false;
};

/// The seed of generated answers that are sampled: the one that lm-eval gives to PyTorch.
std::int64_t sampling_seed(const RunOptions& options);

/// Parses and checks the words after `tare run`. The error is an exit code: help was asked for, or
/// what is wrong has been reported.
tl::expected<RunOptions, ExitCode> parse_run_options(std::vector<std::string> args);

}  // namespace tare::cli
