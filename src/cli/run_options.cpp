#include "cli/run_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <random>

#include "base/json.h"
#include "base/nearest.h"
#include "cli/arguments.h"
#include "cli/config_file.h"
#include "cli/floor_messages.h"
#include "cli/ignored_flags.h"
#include "cli/known_backends.h"
#include "cli/option_table.h"
#include "cli/parse.h"
#include "cli/pin_options.h"
#include "cli/tell.h"
#include "cli/unknown_name.h"

namespace tare::cli {
namespace {

using base::Result;
using base::usage_error;

/// The option values as text, before they are checked together.
struct RawOptions {
  RawTaskOptions task;
  std::string model, mode = "pinned", overlength = "fail", batch = "auto", output, config, cache,
                     shard, pin, write_pin, manner;
  std::vector<std::string> model_arguments;
  bool log_samples = true;
  bool mode_given = false;
};

/// What llama.cpp takes.
constexpr unsigned kMostThreads = 512;

constexpr std::size_t kMostShards = 100'000;

const std::map<std::string, plan::Overlength> kOverlength{
    {"fail", plan::Overlength::fail},
    {"skip", plan::Overlength::skip},
    {"truncate", plan::Overlength::truncate},
};

const std::vector<std::string> kModes{"pinned", "fast"};

std::vector<std::string> overlength_names() {
  std::vector<std::string> names;
  for (const auto& entry : kOverlength) names.push_back(entry.first);
  return names;
}

void declare_model(CLI::App& app, RawOptions& raw) {
  app.add_option("--config,-C", raw.config,
                 "YAML file of these options; those on the command line win")
      ->type_name(kFile);
  app.add_option(
         "--model,-m,-M", raw.model,
         fmt::format("{}, each with [,k=v...] (tare ls backends), or gguf with --model-args "
                     "pretrained=PATH",
                     fmt::join(short_spellings(), ", ")))
      ->type_name(kModel);
  app.add_option("--model-args,-a", raw.model_arguments, "k=v,k=v or a JSON object")
      ->type_name(kWords)
      ->take_all();
}

void declare_execution(CLI::App& app, RawOptions& raw, RunOptions& options) {
  app.add_option("--threads", options.threads, "CPU threads (default: all)")->type_name(kCount);
  app.add_option("--batch-size,-b", raw.batch,
                 "sequences computed side by side, or auto (default); results are the same")
      ->type_name("N|auto");
  app.add_option("--cpu-tier", options.cpu_tier, "CPU kernels: auto, or a name of `tare ls tiers`")
      ->type_name(kTier);
  app.add_option("--pin", raw.pin, "file that says how answers are computed: obeyed and checked")
      ->type_name(kFile);
  app.add_option("--write-pin", raw.write_pin, "file for how this run computes, for --pin")
      ->type_name(kFile);
  app.add_option("--manner", raw.manner)->group("");
  app.add_option("--mode", raw.mode,
                 "pinned (default): a result depends on its question alone; fast: perhaps not")
      ->type_name(fmt::format("{}", fmt::join(kModes, "|")));
  app.add_option("--overlength", raw.overlength,
                 "prompts longer than the context: fail (default), skip or truncate")
      ->type_name(fmt::format("{}", fmt::join(overlength_names(), "|")));
  app.add_option(
         "--cache,--use-cache,-c", raw.cache,
         "file that keeps answers for other runs, or off (default: one in tare's cache folder)")
      ->type_name(kFile);
  app.add_option("--shard", raw.shard, "I/N: do the I-th of N parts; tare merge unites them")
      ->type_name("I/N");
  app.add_option("--output,-o,--output-path", raw.output,
                 "folder for the results (default: a new one under tare-runs/)")
      ->type_name(kFolder);
  app.add_option("--progress-log", options.progress_log,
                 "file for a line of JSON about each batch of answers")
      ->type_name(kFile);
  app.add_flag("!--no-samples", options.samples, "do not write samples_*.jsonl");
  app.add_flag("--report", options.report, "write report.html beside the results");
  app.add_flag("--quiet,-q", options.quiet, "no progress and no table");
  app.add_flag("--json", options.json, "print the result document instead of the table");
  app.add_flag("--show-config", options.show_config, "print the result document and the table");
  app.add_flag("--write-out,-w", options.write_out, "print the prompts of the first document");
  app.add_flag("--log-samples,-s", raw.log_samples, "lm-eval's flag; samples are always logged");
}

/// lm-eval takes a path that ends in .json for a file; here a run is a folder.
std::filesystem::path output_folder(const std::string& text) {
  std::filesystem::path path = text;
  if (path.extension() != ".json") return path;
  path.replace_extension();
  tell("tare: note: --output {}: a run is a folder; it goes to {}\n", text, path.string());
  return path;
}

CacheOption cache_option(const std::string& text) {
  if (text == "off") return {true, std::nullopt};
  if (text.empty()) return {};
  return {false, text};
}

/// A number, auto, or lm-eval's auto:N; 0 stands for auto.
Result<std::size_t> parse_batch(const std::string& text) {
  if (text == "auto" || text.starts_with("auto:")) return 0;
  std::size_t batch = 0;
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, batch);
  if (fault != std::errc() || rest != end || batch == 0)
    return usage_error(fmt::format("--batch-size {}: wanted a number from 1 on, or auto", text));
  return batch;
}

/// "I/N" with 1 ≤ I ≤ N.
Result<std::optional<plan::Shard>> parse_shard(const std::string& text) {
  if (text.empty()) return std::optional<plan::Shard>();
  plan::Shard shard{0, 0};
  const char* end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  const bool slash = index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
  const auto count = slash ? std::from_chars(index.ptr + 1, end, shard.count) : index;
  if (!slash || count.ec != std::errc() || count.ptr != end || shard.index < 1 ||
      shard.index > shard.count || shard.count > kMostShards)
    return usage_error(
        fmt::format("--shard {}: wanted I/N with 1 <= I <= N <= {}, e.g. 2/8", text, kMostShards));
  return std::optional(shard);
}

/// Answers of a model that thinks aloud are what follows this text.
std::string think_end(const ModelSpec& model) {
  for (const auto& [name, value] : model.arguments)
    if (name == "think_end_token") return value;
  return "";
}

base::Status check_model_options(const RawOptions& raw, ModelNeed need, RunOptions& options) {
  if (raw.model.empty() && need == ModelNeed::optional && raw.model_arguments.empty()) return {};
  if (raw.model.empty())
    return usage_error(
        fmt::format("no model is named; wanted --model {}", base::join_or(short_spellings())));
  TARE_TRY(const base::Value arguments, merge_arguments("--model-args", raw.model_arguments));
  if (options.threads > kMostThreads)
    return usage_error(
        fmt::format("--threads {}: wanted 1 to {} (default: all of the machine's processors)",
                    options.threads, kMostThreads));
  TARE_TRY(ModelSpec model, parse_model_spec(raw.model, arguments));
  use_model(options, std::move(model));
  return {};
}

Result<RunOptions> check(const RawOptions& raw, ModelNeed need, RunOptions options) {
  if (!kOverlength.contains(raw.overlength))
    return unknown_name("--overlength", raw.overlength, overlength_names());
  if (std::ranges::count(kModes, raw.mode) == 0) return unknown_name("--mode", raw.mode, kModes);
  TARE_CHECK(check_model_options(raw, need, options));
  TARE_CHECK(check_task_options(raw.task, options));
  options.fast = raw.mode == "fast";
  options.overlength = kOverlength.at(raw.overlength);
  TARE_TRY(options.shard, parse_shard(raw.shard));
  if (options.report && options.shard)
    return usage_error("--report: a shard has no results; wanted tare report of the merged run");
  TARE_TRY(options.batch, parse_batch(raw.batch));
  options.cache = cache_option(raw.cache);
  if (!raw.output.empty()) options.output = output_folder(raw.output);
  if (!raw.write_pin.empty()) options.write_pin = raw.write_pin;
  if (!raw.manner.empty()) {
    TARE_TRY(const base::Value manner, base::json::parse(raw.manner));
    TARE_TRY(options.manner, floor_messages::read_manner(manner));
  }
  if (!raw.pin.empty()) {
    TARE_TRY(PinFile pin, open_pin(raw.pin));
    TARE_CHECK(obey_pin(std::move(pin), raw.mode_given, options));
  }
  return options;
}

/// The options of the command line, over those of the file that it names.
Result<Parsed> parse_with_config(CLI::App& app, const std::vector<std::string>& args,
                                 const std::string& config) {
  TARE_TRY(const Parsed parsed, try_parse(app, args));
  if (parsed == Parsed::help || config.empty()) return parsed;
  TARE_TRY(std::vector<std::string> words, config_words(config, app));
  words.insert(words.end(), args.begin(), args.end());
  return try_parse(app, std::move(words));
}

}  // namespace

void use_model(RunOptions& options, ModelSpec model) {
  options.build.think_end = think_end(model);
  options.model = std::move(model);
}

std::int64_t sampling_seed(const RunOptions& options) {
  return options.seeds[2] ? *options.seeds[2] : static_cast<std::int64_t>(std::random_device{}());
}

Result<std::optional<RunOptions>> read_run_options(CLI::App& app,
                                                   const std::vector<std::string>& args,
                                                   ModelNeed need) {
  RawOptions raw;
  RunOptions options;
  declare_model(app, raw);
  declare_task_options(app, TasksAs::option, raw.task, options);
  declare_execution(app, raw, options);
  declare_ignored_flags(app);
  TARE_TRY(const Parsed parsed, parse_with_config(app, args, raw.config));
  if (parsed == Parsed::help) return std::optional<RunOptions>();
  raw.mode_given = app.count("--mode") > 0;
  TARE_TRY(RunOptions checked, check(raw, need, std::move(options)));
  note_ignored_flags(app);
  return std::optional(std::move(checked));
}

tl::expected<RunOptions, ExitCode> parse_run_options(CLI::App& app,
                                                     const std::vector<std::string>& args,
                                                     ModelNeed need) {
  auto read = read_run_options(app, args, need);
  if (!read) return tl::unexpected(report(read.error()));
  if (!*read) return tl::unexpected(kDone);
  return std::move(**read);
}

}  // namespace tare::cli
