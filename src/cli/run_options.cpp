#include "cli/run_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <random>

#include "cli/parse.h"

namespace tare::cli {
namespace {

using base::Result;
using base::usage_error;

/// The option values as text, before they are checked together.
struct RawOptions {
  RawTaskOptions task;
  std::string model, overlength = "fail", output;
  bool log_samples = true;
};

const std::map<std::string, plan::Overlength> kOverlength{
    {"fail", plan::Overlength::fail},
    {"skip", plan::Overlength::skip},
    {"truncate", plan::Overlength::truncate},
};

void declare_execution(CLI::App& app, RawOptions& raw, RunOptions& options) {
  app.add_option("--threads", options.threads, "CPU threads (default: all)");
  app.add_option("--cpu-tier", options.cpu_tier, "CPU kernels: auto, or a name of `tare ls tiers`");
  app.add_option("--overlength", raw.overlength,
                 "prompts longer than the context: fail (default), skip or truncate");
  app.add_option("--output,-o,--output-path", raw.output,
                 "folder for the results (default: a new one under tare-runs/)");
  app.add_flag("!--no-samples", options.samples, "do not write samples_*.jsonl");
  app.add_flag("--quiet,-q", options.quiet, "no progress and no table");
  app.add_flag("--json", options.json, "print the result document instead of the table");
  app.add_flag("--log-samples,-s", raw.log_samples, "lm-eval's flag; samples are always logged");
}

Result<RunOptions> check(const RawOptions& raw, RunOptions options) {
  if (!kOverlength.contains(raw.overlength))
    return usage_error(
        fmt::format("--overlength {}: wanted fail, skip or truncate", raw.overlength));
  TARE_TRY(options.model, parse_model_spec(raw.model));
  TARE_CHECK(check_task_options(raw.task, options));
  options.overlength = kOverlength.at(raw.overlength);
  if (!raw.output.empty()) options.output = raw.output;
  return options;
}

}  // namespace

std::int64_t sampling_seed(const RunOptions& options) {
  return options.seeds[2] ? *options.seeds[2] : static_cast<std::int64_t>(std::random_device{}());
}

tl::expected<RunOptions, ExitCode> parse_run_options(std::vector<std::string> args) {
  RawOptions raw;
  RunOptions options;
  CLI::App app("Scores a model on lm-evaluation-harness tasks.", "tare run");
  app.add_option("--model,-m", raw.model, "gguf:PATH[,k=v...] or scripted:FILE")->required();
  declare_task_options(app, TasksAs::option, raw.task, options);
  declare_execution(app, raw, options);
  if (const auto code = parse(app, std::move(args))) return tl::unexpected(*code);
  auto checked = check(raw, std::move(options));
  if (!checked) return tl::unexpected(report(checked.error()));
  return std::move(*checked);
}

}  // namespace tare::cli
