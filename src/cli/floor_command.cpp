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
#include "cli/floor_pin.h"
#include "cli/floor_plan.h"
#include "cli/floor_report.h"
#include "cli/floor_run.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "cli/output_folder.h"
#include "cli/parse.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "floor/report.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;

constexpr std::size_t kMostPositions = 10'000'000;
constexpr std::size_t kMostRowSpace = 1 << 20, kMostServerItems = 100'000;
/// An option of `tare run` that says which items are asked, or how.
struct ItemOption {
  const char *name, *value, *meaning;
};
constexpr std::array<ItemOption, 6> kItemOptions{{
    {"--limit", "N|0.X", "items of each task"},
    {"--samples", kFile, "items by their numbers, as tare run takes them"},
    {"--num-fewshot", kCount, "examples before each item"},
    {"--include-path", kFolder, "folder of tasks"},
    {"--datasets", kFolder, "folder of data sets"},
    {"--gen-kwargs", kWords, "how text is generated"},
}};

Status check_pinned(std::vector<std::string>& pinned) {
  const auto known = pinnable_names();
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

/// What the pin leaves no choice of is no part of the floor.
void add_pinned(FloorOptions& options) {
  if (!options.pin) return;
  for (const std::string& factor : pinned_by_a_pin())
    if (std::ranges::find(options.pinned, factor) == options.pinned.end())
      options.pinned.push_back(factor);
}

Status check_pins(FloorOptions& options, const fs::path& pin) {
  TARE_CHECK(check_pinned(options.pinned));
  if (!options.write_pin.empty()) {
    if (!pin.empty())
      return base::usage_error(
          "--write-pin with --pin: the pin is there already; give one of them");
    TARE_CHECK(check_pin_target(options.write_pin));
  }
  if (!pin.empty()) {
    TARE_TRY(options.pin, open_pin(pin));
  }
  add_pinned(options);
  return {};
}

Status check_number(const char* option, std::size_t found, std::size_t least, std::size_t most) {
  if (found >= least && found <= most) return {};
  return base::usage_error(
      fmt::format("{}: found {}, wanted {} to {}", option, found, least, most));
}

Status check_options(const FloorOptions& options) {
  TARE_CHECK(check_number("--positions", options.positions, 2, kMostPositions));
  TARE_CHECK(check_number("--row-space", options.row_space, 1, kMostRowSpace));
  return check_number("--server-items", options.server_items, 0, kMostServerItems);
}

/// A file that is not there is told before the items are built.
Status check_files(const FloorOptions& options) {
  for (const fs::path& file : options.files) {
    std::error_code fault;
    if (fs::file_size(file, fault) == static_cast<std::uintmax_t>(-1))
      return base::input_error(
          fmt::format("{}: cannot be read: {}", file.string(), fault.message()));
  }
  return {};
}

fs::path usual_output(const FloorOptions& options) {
  const std::string first = options.files.front().stem().string();
  const std::size_t others = options.files.size() - 1;
  const std::string more = others == 0   ? ""
                           : others == 1 ? "-and-" + options.files.back().stem().string()
                                         : fmt::format("-and-{}-others", others);
  return fs::path("tare-floor") / (first + more);
}

base::Failure told_how_to_go_on(const base::Error& error) {
  if (error.kind != base::ErrorKind::interrupted) return base::Failure(error);
  return base::in_context("the grid was stopped; the same command goes on from there", error);
}

void tell_of_pin(const FloorOptions& options) {
  if (options.quiet || options.pin) return;
  if (options.write_pin.empty())
    tell("--write-pin FILE writes the reference as a pin, which tare run --pin FILE obeys\n");
  else
    tell("pin in {0}: tare run --pin {0} computes as the reference does\n",
         options.write_pin.string());
}

/// All rows and answers, and the report.
Result<ExitCode> measure(const FloorPlan& plan, const std::optional<ItemPlan>& items,
                         const FloorOptions& options, const std::stop_token& stop) {
  const auto rows = run_floor(plan, options, stop);
  if (!rows) return told_how_to_go_on(rows.error());
  std::optional<floor::Answers> answers;
  if (items) {
    auto asked = ask_items(plan, *items, options, stop);
    if (!asked) return told_how_to_go_on(asked.error());
    answers = std::move(*asked);
  }
  const floor::Findings findings = findings_of(plan, *rows, std::move(answers), options);
  TARE_CHECK(write_floor(findings, *rows, options));
  if (options.json)
    print_text(base::json::dump(floor::document_of(findings), {.indent = 2}) + "\n");
  else
    print_fitted(floor::summary(findings));
  if (!options.quiet) tell("report in {}\n", (options.output / "floor.html").string());
  tell_of_pin(options);
  if (!floor::has_results(findings)) return kWorkFailed;
  return floor::has_failures(findings) ? kDoneWithFailures : kDone;
}

/// Takes the output folder for itself.
Result<ExitCode> measure_in_folder(const FloorPlan& plan, const std::optional<ItemPlan>& items,
                                   const FloorOptions& options, const std::stop_token& stop) {
  TARE_CHECK(base::ensure_writable_folder(options.output));
  if (!options.rows.empty()) TARE_CHECK(base::ensure_writable_folder(options.rows));
  const auto lock = base::FolderLock::take(options.output);
  if (!lock)
    return base::input_error(
        fmt::format("{}: another tare is at work in it; wait for it", options.output.string()));
  if (!options.write_pin.empty()) {
    TARE_TRY(const core::Pin pin, pin_of(plan.reference));
    TARE_CHECK(write_pin_file(options.write_pin, pin));
  }
  return measure(plan, items, options, stop);
}

Result<ExitCode> do_floor(FloorOptions options, const fs::path& pin) {
  TARE_CHECK(check_options(options));
  TARE_CHECK(check_pins(options, pin));
  if (options.output.empty()) options.output = usual_output(options);
  TARE_CHECK(OutputFolder::check_writable(options.output));
  TARE_CHECK(check_files(options));
  std::optional<ItemQuestions> questions;
  if (asks_items(options)) {
    TARE_TRY(questions, read_items(options));
  }
  const InterruptGuard interrupt;
  TARE_TRY(const FloorPlan plan, plan_floor(options, interrupt.token()));
  std::optional<ItemPlan> items;
  if (questions) {
    TARE_TRY(items, plan_items(std::move(*questions), plan, options));
  }
  const std::string text = plan_text(plan) + (items ? items_text(plan, *items) : "");
  if (options.dry_run) {
    if (options.json)
      print_text(base::json::dump(plan_value(plan), {.indent = 2}) + "\n");
    else
      print_fitted(text);
    return kDone;
  }
  if (!options.quiet) tell_text(text);
  return measure_in_folder(plan, items, options, interrupt.token());
}

}  // namespace

ExitCode floor_command(std::vector<std::string> args) {
  CLI::App app(
      "Measures how far a model file's answers move under settings that change nothing of the "
      "model, and whether files differ by more.",
      "tare floor");
  FloorOptions options;
  std::vector<std::string> pinned, item_settings;
  fs::path pin;
  app.add_option("files", options.files, "GGUF files; each is compared with the first one")
      ->required()
      ->type_name(kFile);
  app.add_option(
         "--tasks", options.tasks,
         "tasks whose items are asked too (default: 980 items of MMLU, TriviaQA and GSM8K), "
         "or none")
      ->type_name(kTasks);
  std::map<std::string, std::string> about_items;
  for (const auto& [name, value, meaning] : kItemOptions)
    app.add_option(name, about_items[name], meaning)->type_name(value);
  app.add_option("--item-settings", item_settings,
                 "settings under which items are asked: names of the grid, or all");
  app.add_option("--server-items", options.server_items,
                 "items of each task that llama-server is asked (default 20; 0: none)")
      ->type_name(kCount);
  app.add_option("--grid", options.grid, "YAML file with more settings, or another reference")
      ->type_name(kFile);
  app.add_option("--text", options.text, "UTF-8 text whose tokens are scored (default: built-in)")
      ->type_name(kFile);
  app.add_option("--positions", options.positions, "tokens that are scored (default 512)")
      ->type_name(kCount);
  app.add_option("--threads", options.threads, "CPU threads of the reference (default: all)")
      ->type_name(kCount);
  app.add_option("--pinned", pinned,
                 "settings that are pinned, and so not part of the floor: tier,ubatch,... or all");
  app.add_option("--pin", pin, "a pin file: its settings are the reference, and pinned")
      ->type_name(kFile);
  app.add_option("--write-pin", options.write_pin, "a new file for the reference as a pin")
      ->type_name(kFile);
  app.add_option("--row-space", options.row_space,
                 "MiB of the disk for rows that are compared (default 512)")
      ->type_name(kCount);
  app.add_option("--output,-o", options.output, "folder of the report (default tare-floor/NAME)")
      ->type_name(kFolder);
  app.add_flag("--dry-run", options.dry_run, "print the grid and the time it takes");
  app.add_flag("--json", options.json, "print floor.json, or the grid of --dry-run");
  app.add_flag("--quiet,-q", options.quiet, "no progress");
  app.add_option("--keep-rows", options.rows)->group("");
  if (const auto code = parse(app, std::move(args))) return *code;
  options.pinned = split_words(pinned);
  options.item_settings = split_words(item_settings);
  for (const auto& [name, value] : about_items)
    if (!value.empty()) options.task_words.insert(options.task_words.end(), {name, value});
  const auto code = do_floor(std::move(options), pin);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
