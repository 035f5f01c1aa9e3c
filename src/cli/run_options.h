#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "cli/model_spec.h"
#include "cli/pin.h"
#include "cli/task_options.h"
#include "core/manner.h"
#include "plan/encode.h"
#include "plan/shard.h"

namespace CLI {
class App;
}

namespace tare::cli {

/// Where answers are kept for other runs. Neither off nor a file: the default file, if they can be.
struct CacheOption {
  bool off = false;
  std::optional<std::filesystem::path> file;
};

/// Everything `tare run` was told, checked as far as that goes without opening a file.
struct RunOptions : TaskOptions {
  ModelSpec model;
  unsigned threads = 0;  ///< 0: as many as the machine has
  std::string cpu_tier = "auto";
  std::size_t batch = 0;  ///< sequences computed side by side at most; 0: the planner's choice
  bool fast = false;      ///< --mode fast: results may depend on how they are computed
  bool thorough_probe = false;  ///< for `tare doctor`
  plan::Overlength overlength = plan::Overlength::fail;
  std::optional<PinFile> pin;                      ///< how answers are computed; obeyed already
  std::optional<std::filesystem::path> write_pin;  ///< a new file for it
  std::optional<core::Manner> manner;  ///< for `tare floor`: another way than the pinned one
  CacheOption cache;
  std::optional<plan::Shard> shard;                   ///< the part of the plan that this run does
  std::optional<std::filesystem::path> output;        ///< none: a new folder under tare-runs/
  std::optional<std::filesystem::path> progress_log;  ///< none: not written
  bool samples = true;
  bool report = false;  ///< an HTML file beside the results
  bool json = false;
  bool write_out = false;    ///< the first document's prompts go to stderr before the run
  bool show_config = false;  ///< the result document is printed before the table
};

/// Puts a model into the options, with what its arguments say about prompts.
void use_model(RunOptions& options, ModelSpec model);

/// The seed of generated answers that are sampled: the one that lm-eval gives to PyTorch.
std::int64_t sampling_seed(const RunOptions& options);

enum class ModelNeed { required, optional };

/// Declares the options of `tare run` on `app`, parses and checks `args`. None: they ask for help,
/// which has been printed. Without a model its scheme is "".
base::Result<std::optional<RunOptions>> read_run_options(CLI::App& app,
                                                         const std::vector<std::string>& args,
                                                         ModelNeed need);

/// The same. The error is an exit code: help was asked for, or what is wrong has been reported.
tl::expected<RunOptions, ExitCode> parse_run_options(CLI::App& app,
                                                     const std::vector<std::string>& args,
                                                     ModelNeed need);

}  // namespace tare::cli
