#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <map>

#include "base/files.h"
#include "base/json.h"
#include "base/nearest.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/floor_items.h"
#include "cli/floor_plan.h"
#include "cli/floor_report.h"
#include "cli/floor_run.h"
#include "cli/interrupt.h"
#include "cli/output_folder.h"
#include "cli/parse.h"
#include "cli/tell.h"
#include "floor/report.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;

constexpr std::size_t kMostPositions = 10'000'000;
constexpr const char* kNoTasks = "none";
/// Options of `tare run` that say which items are asked, and how.
constexpr std::array<std::pair<const char*, const char*>, 6> kItemOptions{{
    {"--limit", "items of each task"},
    {"--samples", "items by their numbers, as tare run takes them"},
    {"--num-fewshot", "examples before each item"},
    {"--include-path", "folder of tasks"},
    {"--datasets", "folder of data sets"},
    {"--gen-kwargs", "how text is generated"},
}};

Status check_pinned(std::vector<std::string>& pinned) {
  const auto known = floor::factor_names();
  if (pinned == std::vector<std::string>{"all"}) pinned = known;
  for (const std::string& factor : pinned) {
    if (std::ranges::find(known, factor) != known.end()) continue;
    const auto near = base::nearest_names(factor, known, 1);
    return base::usage_error(fmt::format("--pinned: '{}' is unknown{}; wanted all, or {}", factor,
                                         near.empty() ? "" : ", did you mean " + near[0] + "?",
                                         base::join_or(known)));
  }
  return {};
}

Status check_options(FloorOptions& options) {
  if (options.files.size() > 2)
    return base::usage_error(
        fmt::format("{} model files; wanted one or two", options.files.size()));
  if (options.positions < 2 || options.positions > kMostPositions)
    return base::usage_error(
        fmt::format("--positions: found {}, wanted 2 to {}", options.positions, kMostPositions));
  if (options.tasks != kNoTasks) TARE_CHECK(check_items(options));
  return check_pinned(options.pinned);
}

fs::path usual_output(const FloorOptions& options) {
  std::vector<std::string> names;
  for (const fs::path& file : options.files) names.push_back(file.stem().string());
  return fs::path("tare-floor") / fmt::format("{}", fmt::join(names, "-and-"));
}

base::Failure told_how_to_go_on(const base::Error& error) {
  if (error.kind != base::ErrorKind::interrupted) return base::Failure(error);
  return base::in_context("the grid was stopped; the same command goes on from there", error);
}

Result<ExitCode> measure(const FloorPlan& plan, const FloorOptions& options,
                         const std::stop_token& stop) {
  if (!options.quiet) tell("{}", plan_text(plan));
  const auto rows = run_floor(plan, options, stop);
  if (!rows) return told_how_to_go_on(rows.error());
  std::optional<floor::Answers> answers;
  if (options.tasks != kNoTasks) {
    auto asked = ask_items(plan, options, stop);
    if (!asked) return told_how_to_go_on(asked.error());
    answers = std::move(*asked);
  }
  const floor::Findings findings = findings_of(plan, *rows, std::move(answers), options);
  TARE_CHECK(write_floor(findings, *rows, options));
  if (options.json)
    fmt::print("{}\n", base::json::dump(floor::document_of(findings), {.indent = 2}));
  else
    fmt::print("{}", floor::markdown(findings));
  if (!options.quiet) tell("report in {}\n", (options.output / "floor.md").string());
  if (!floor::has_results(findings)) return kWorkFailed;
  return floor::has_failures(findings) ? kDoneWithFailures : kDone;
}

Result<ExitCode> do_floor(FloorOptions options) {
  TARE_CHECK(check_options(options));
  if (options.output.empty()) options.output = usual_output(options);
  TARE_CHECK(OutputFolder::check_writable(options.output));
  const InterruptGuard interrupt;
  TARE_TRY(const FloorPlan plan, plan_floor(options, interrupt.token()));
  if (options.tasks != kNoTasks) TARE_CHECK(asked_settings(plan, options));
  if (options.dry_run) {
    fmt::print("{}", plan_text(plan));
    return kDone;
  }
  TARE_CHECK(base::ensure_writable_folder(options.output));
  if (!options.rows.empty()) TARE_CHECK(base::ensure_writable_folder(options.rows));
  const auto lock = base::FolderLock::take(options.output);
  if (!lock)
    return base::input_error(
        fmt::format("{}: another tare is at work in it; wait for it", options.output.string()));
  return measure(plan, options, interrupt.token());
}

}  // namespace

ExitCode floor_command(std::vector<std::string> args) {
  CLI::App app(
      "Measures how far a model file's answers move under settings that change nothing of the "
      "model, and whether two files differ by more.",
      "tare floor");
  FloorOptions options;
  std::vector<std::string> pinned, item_settings;
  app.add_option("files", options.files, "one or two GGUF files")->required();
  app.add_option("--tasks", options.tasks, "tasks whose items are asked too, or none (default)");
  std::map<std::string, std::string> about_items;
  for (const auto& [name, meaning] : kItemOptions) app.add_option(name, about_items[name], meaning);
  app.add_option("--item-settings", item_settings,
                 "settings under which items are asked: names of the grid, or all");
  app.add_option("--grid", options.grid, "YAML file with more settings, or another reference");
  app.add_option("--text", options.text, "UTF-8 text whose tokens are scored (default: built-in)");
  app.add_option("--positions", options.positions, "tokens that are scored (default 512)");
  app.add_option("--threads", options.threads, "CPU threads of the reference (default: all)");
  app.add_option("--pinned", pinned,
                 "settings that are pinned, and so not part of the floor: tier,ubatch,... or all");
  app.add_option("--output,-o", options.output, "folder of the report (default tare-floor/NAME)");
  app.add_flag("--dry-run", options.dry_run, "print the grid and the time it takes");
  app.add_flag("--json", options.json, "print floor.json");
  app.add_flag("--quiet,-q", options.quiet, "no progress");
  app.add_option("--keep-rows", options.rows)->group("");
  if (const auto code = parse(app, std::move(args))) return *code;
  options.pinned = split_words(pinned);
  options.item_settings = split_words(item_settings);
  for (const auto& [name, value] : about_items)
    if (!value.empty()) options.task_words.insert(options.task_words.end(), {name, value});
  const auto code = do_floor(std::move(options));
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
