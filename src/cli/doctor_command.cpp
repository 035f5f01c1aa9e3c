#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string_view>
#include <thread>

#include "backend/llama/child_process.h"
#include "backend/llama/tiers.h"
#include "base/files.h"
#include "base/json.h"
#include "cli/backend_diagnosis.h"
#include "cli/build_info.h"
#include "cli/cache_dir.h"
#include "cli/command.h"
#include "cli/diagnosis.h"
#include "cli/http_backends.h"
#include "cli/install_paths.h"
#include "cli/known_backends.h"
#include "cli/machine.h"
#include "cli/model_spec.h"
#include "cli/option_table.h"
#include "cli/parse.h"
#include "cli/prepare.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "report/invariance.h"

namespace tare::cli {
namespace {

namespace llama = backend::llama;
using base::Result;
using core::Invariance;

/// A process uses one CPU tier, so that each is tried in a child that gets this word.
constexpr const char* kTryHere = "--try-here";
constexpr auto kTierLimit = std::chrono::minutes(20);

/// What the probe's sequences are cut from: words, numbers, signs and lines, as questions have.
constexpr std::string_view kText =
    "A weaver counted her threads before the light failed: 412 of wool, 96 of linen, none of "
    "silk.\n"
    "\"Why so few?\" asked the miller, who had walked since dawn and still carried his sack.\n"
    "Because the river froze twice, she said; because sheep (even old ones) need grass.\n"
    "Question: Which of these floats on water?\nA. a brick\nB. a cork\nC. a coin\nAnswer: B\n"
    "x = 3 * (y - 7) / 2; the result is 0.125, or 1/8. On 5 May 1873 the bridge was opened, and "
    "people crossed it in both directions until the lamps went out.\n";

struct DoctorOptions : RunOptions {
  bool all_tiers = false;  ///< try the model on each tier that works; the slowest take minutes
  bool try_here = false;
  std::string install;  ///< a Python environment to make first; "" for none
};

/// In this process: loads the model and measures, on one tier.
Result<Invariance> try_model(const RunOptions& options) {
  TARE_TRY(const OpenedBackend opened, open_backend(options));
  backend::Backend& model = *opened.backend;
  const std::vector<core::Token> tokens = model.tokenizer().encode(kText, true);
  const core::GenerationSettings settings;
  std::vector<backend::ScoreItem> items{{0, tokens, 1}};
  std::vector<backend::GenerateItem> prompts;
  if (model.capabilities().generation) prompts.push_back({0, tokens, &settings, 0});
  return model.probe(items, prompts, std::stop_token());
}

Result<Invariance> try_in_child(const RunOptions& options, const std::string& tier) {
  const llama::ChildOutput output =
      llama::capture_child(program(),
                           {"doctor", options.model.text, "--cpu-tier", tier, "--threads",
                            std::to_string(options.threads), kTryHere},
                           kTierLimit);
  const std::string fault = llama::fault_of(output.end, kTierLimit);
  if (!fault.empty()) return base::work_failed(fault);
  return read_tried(output.text);
}

void try_tier(const RunOptions& options, TierFinding& tier) {
  const auto begin = std::chrono::steady_clock::now();
  auto tried = try_in_child(options, tier.name);
  tier.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (tried)
    tier.invariance = std::move(*tried);
  else
    tier.fault = tried.error().text;
  if (!options.quiet)
    tell("{}\n", tier.invariance ? report::invariance_line(*tier.invariance, tier.name)
                                 : fmt::format("tier {}: {}", tier.name, tier.fault));
}

TierFinding look_at(const llama::Tier& tier) {
  if (tier.score == 0) return {tier.name, TierState::lacks_instructions, "", false, {}, 0};
  const llama::ProbeOutcome outcome = llama::probe_tier(program(), tier.name);
  return {
      tier.name, outcome.passed ? TierState::works : TierState::fails, outcome.reason, false, {},
      0};
}

/// All tiers, or the one that was asked for. A run's choice may be an older one that is remembered.
Result<std::vector<TierFinding>> look_at_tiers(const RunOptions& options) {
  const bool all = options.cpu_tier == "auto";
  std::vector<TierFinding> tiers;
  for (const llama::Tier& tier : llama::list_tiers())
    if (all || options.cpu_tier == tier.name) tiers.push_back(look_at(tier));
  const auto choice =
      llama::choose_tier(options.cpu_tier, program(), all ? cache_dir() : std::filesystem::path());
  if (!choice && !all) return tl::unexpected(choice.error());
  for (TierFinding& tier : tiers) tier.chosen = choice && choice->tier.name == tier.name;
  return tiers;
}

std::string cache_fault() {
  if (cache_dir().empty()) return "there is no folder; set TARE_CACHE_DIR to one, or HOME";
  const base::Status status = base::ensure_writable_folder(cache_dir());
  return status ? "" : status.error().text + " (TARE_CACHE_DIR names another)";
}

Diagnosis look_around(const RunOptions& options) {
  Diagnosis diagnosis;
  diagnosis.program = version_line();
  diagnosis.build = build_info();
  diagnosis.machine = machine_value();
  diagnosis.threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  diagnosis.backends = backend_schemes();
  diagnosis.environments = look_at_environments();
  diagnosis.cache_folder = cache_dir().string();
  diagnosis.cache_fault = cache_fault();
  diagnosis.model = options.model.text;
  return diagnosis;
}

Result<Diagnosis> diagnose(const DoctorOptions& options) {
  TARE_CHECK(check_model(options));
  Diagnosis diagnosis = look_around(options);
  if (!options.model.scheme.empty() && options.model.scheme != "gguf") {
    TARE_TRY(diagnosis.looked_up, try_model(options));
    return diagnosis;
  }
  TARE_TRY(diagnosis.tiers, look_at_tiers(options));
  if (options.model.scheme.empty() || is_http_scheme(options.model.scheme)) return diagnosis;
  for (TierFinding& tier : diagnosis.tiers)
    if (tier.state == TierState::works && (tier.chosen || options.all_tiers))
      try_tier(options, tier);
  return diagnosis;
}

void print_json(const base::Value& value) {
  print_text(base::json::dump(value, {.indent = 2}) + "\n");
}

Result<ExitCode> doctor(DoctorOptions options, const std::string& model) {
  if (!model.empty()) {
    TARE_TRY(options.model, parse_model_spec(model));
  }
  if (options.try_here) {
    print_json(tried_value(try_model(options)));
    return kDone;
  }
  if (!options.install.empty()) TARE_CHECK(install_environment(options.install, options.python));
  TARE_TRY(const Diagnosis diagnosis, diagnose(options));
  if (options.json)
    print_json(diagnosis_document(diagnosis));
  else
    print_fitted(diagnosis_text(diagnosis));
  if (!diagnosis.cache_fault.empty()) tell("tare: warning: cache: {}\n", diagnosis.cache_fault);
  TARE_CHECK(verdict(diagnosis));
  return kDone;
}

}  // namespace

ExitCode doctor_command(std::vector<std::string> args) {
  DoctorOptions options;
  options.thorough_probe = true;
  std::string model;
  CLI::App app(
      "Tells what this machine can do; with a model, whether its answers are the same bits however "
      "they are computed.",
      "tare doctor");
  app.add_option("model", model, "gguf:PATH, or the path of a .gguf file")->type_name(kModel);
  app.add_option("--threads", options.threads, "CPU threads (default: all)")->type_name(kCount);
  app.add_option("--cpu-tier", options.cpu_tier, "look at this tier alone (tare ls tiers)")
      ->type_name(kTier);
  app.add_flag(
      "--all-tiers", options.all_tiers,
      "try the model on each tier that works here, not only on the one that a run would use");
  app.add_option("--install", options.install, "first make a Python environment, in tare's cache")
      ->type_name("hf|vllm");
  app.add_option("--python", options.python,
                 "with --install the python3 that makes it; with a model the one that runs it")
      ->type_name(kFile);
  app.add_flag("--json", options.json, "print a JSON object");
  app.add_flag("--quiet", options.quiet, "no progress");
  app.add_flag(kTryHere, options.try_here)->group("");
  if (const auto code = parse(app, std::move(args))) return *code;
  const auto code = doctor(std::move(options), model);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
