#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/budget.h"
#include "cli/command.h"
#include "cli/command_words.h"
#include "cli/option_table.h"
#include "cli/parity_sides.h"
#include "cli/parity_text.h"
#include "cli/parse.h"
#include "cli/run_folder.h"
#include "cli/terminal.h"
#include "report/console.h"
#include "store/execution.h"
#include "store/lm_eval_files.h"
#include "store/planned_budget.h"
#include "store/read_results.h"
#include "store/results.h"
#include "store/run_state.h"

namespace tare::cli {
namespace {

std::string state_text(const store::RunState& state, const std::vector<std::string>& next) {
  const std::string part =
      state.shards > 1 ? fmt::format("shard {}/{}, ", state.shard, state.shards) : "";
  std::string text =
      fmt::format("{}: {}{}: {} of {} answers are there\n", state.folder.string(), part,
                  state.ended ? "ended" : "stopped", state.answers, state.asked);
  for (const auto& [reason, count] : state.failures)
    text += fmt::format("failed: {} ({} requests)\n", reason, count);
  if (state.ended && state.shards > 1)
    text += fmt::format("with all {} shards: tare merge SHARD... --output DIR\n", state.shards);
  if (!next.empty())
    text += fmt::format("go on, in {}, with: {}\n", state.started_in, shell_line(next));
  return text;
}

base::Status show_state(const std::filesystem::path& folder, bool json) {
  TARE_TRY(const store::RunState state, store::read_run_state(folder));
  const std::vector<std::string> next = next_words(state);
  if (json) {
    fmt::print("{}\n", base::json::dump(store::run_state_document(state, next), {.indent = 2}));
  } else {
    fmt::print("{}", state_text(state, next));
  }
  return {};
}

/// What a finished run has no answers to; "" if it has all.
std::string unanswered_text(const store::Unanswered& unanswered,
                            const std::vector<std::string>& next) {
  std::string text;
  for (const auto& [reason, count] : unanswered.failures)
    text += fmt::format("failed: {} ({} requests)\n", reason, count);
  if (unanswered.documents > 0)
    text += fmt::format("documents without a score: {}\n", unanswered.documents);
  if (!next.empty())
    text += fmt::format("ask again, in {}, with: {}\n", unanswered.started_in, shell_line(next));
  else if (!unanswered.failures.empty())
    text += "ask again: not from here, since the folder lacks the journal of its run\n";
  return text;
}

base::Status print_results(const std::filesystem::path& folder, const store::Unanswered& unanswered,
                           const std::vector<std::string>& next) {
  TARE_TRY(const std::string text, store::read_results_text(folder));
  if (unanswered.failures.empty() && unanswered.documents == 0) {
    fmt::print("{}", text);
    return {};
  }
  TARE_TRY(const base::Value results, base::json::parse(text));
  const base::Value document = store::with_unanswered(results, unanswered, next);
  fmt::print("{}\n", base::json::dump(document, {.indent = 2}));
  return {};
}

base::Status show(const std::filesystem::path& folder, bool json) {
  TARE_CHECK(check_holds_run(folder));
  TARE_TRY(const bool finished, store::holds_finished_run(folder));
  if (!finished) return show_state(folder, json);
  TARE_TRY(const core::RunRecord run, store::read_results(folder));
  TARE_TRY(const store::Unanswered unanswered, store::read_unanswered(folder));
  std::vector<std::string> next;
  if (!unanswered.command.empty())
    next = next_words(unanswered.command, unanswered.started_in, folder);
  if (json) return print_results(folder, unanswered, next);
  print_fitted(report::console_table(run) + unanswered_text(unanswered, next));
  return {};
}

base::Status show_budget(const std::filesystem::path& folder, bool json) {
  TARE_CHECK(check_holds_results(folder));
  TARE_TRY(const auto budget, store::read_budget(folder));
  if (json)
    fmt::print("{}\n", base::json::dump(store::budget_value(budget), {.indent = 2}));
  else if (budget)
    fmt::print("{}", budget_text(*budget));
  else
    fmt::print(
        "{}: when the run was last started, the model was asked nothing: all answers were there; "
        "execution.json tells of that time alone\n",
        folder.string());
  return {};
}

base::Status write_for_lm_eval(const std::filesystem::path& folder, const std::string& output) {
  TARE_CHECK(check_holds_results(folder));
  TARE_TRY(const auto written, store::write_lm_eval_files(folder, output));
  for (const auto& file : written) fmt::print("{}\n", file.string());
  return {};
}

base::Result<ExitCode> compare(const std::string& folder, const std::string& against, bool json) {
  TARE_CHECK(check_holds_results(folder));
  TARE_CHECK(check_holds_results(against));
  TARE_TRY(const study::Side left, finished_side(folder));
  TARE_TRY(const study::Side right, finished_side(against));
  return print_parity(left, right, json);
}

}  // namespace

ExitCode show_command(std::vector<std::string> args) {
  CLI::App app("Prints the table of a finished run, or how far one is that was stopped.",
               "tare show");
  std::string folder, against, lm_eval;
  bool json = false, budget = false;
  app.add_option("run", folder, "output folder of the run")->required()->type_name(kFolder);
  app.add_option("--against", against, "compare the prompts with those of this run instead")
      ->type_name(kFolder);
  app.add_flag("--budget", budget, "print what the run was expected to take, and took, instead");
  app.add_option("--lm-eval", lm_eval,
                 "write the files of the run below this folder under the names that lm-eval gives "
                 "its own, for programs that look for them, and print the names instead")
      ->type_name(kFolder);
  app.add_flag("--json", json,
               "print a JSON document: the results, how far the run is, or the comparison");
  if (const auto code = parse(app, std::move(args))) return *code;
  if (!against.empty()) {
    const auto compared = compare(folder, against, json);
    return compared ? *compared : report(compared.error());
  }
  if (!lm_eval.empty()) {
    const auto written = write_for_lm_eval(folder, lm_eval);
    return written ? kDone : report(written.error());
  }
  const auto shown = budget ? show_budget(folder, json) : show(folder, json);
  return shown ? kDone : report(shown.error());
}

}  // namespace tare::cli
