#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "cli/budget.h"
#include "cli/command.h"
#include "cli/command_words.h"
#include "cli/option_table.h"
#include "cli/output_folder.h"
#include "cli/parity_sides.h"
#include "cli/parity_text.h"
#include "cli/parse.h"
#include "cli/run_folder.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "report/console.h"
#include "store/execution.h"
#include "store/journal.h"
#include "store/lm_eval_files.h"
#include "store/planned_budget.h"
#include "store/read_run.h"
#include "store/results.h"
#include "store/run_state.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

struct ShowOptions {
  std::string run, against, lm_eval;
  bool json = false, budget = false;
};

void print_json(const base::Value& value) {
  print_text(base::json::dump(value, {.indent = 2}) + "\n");
}

std::string failures_text(const std::map<std::string, std::size_t>& failures) {
  std::string text;
  for (const auto& [reason, count] : failures)
    text += fmt::format("failed: {} ({} requests)\n", in_one_line(reason), count);
  return text;
}

std::string state_text(const store::RunState& state) {
  const std::string part =
      state.shards > 1 ? fmt::format("shard {}/{}, ", state.shard, state.shards) : "";
  std::string text =
      fmt::format("{}: {}{}: {} of {} answers are there\n", state.folder.string(), part,
                  state.ended ? "ended" : "stopped", state.answers, state.asked);
  text += failures_text(state.failures);
  if (state.ended && state.shards > 1)
    text += fmt::format("with all {} shards: tare merge SHARD... --output DIR\n", state.shards);
  return text;
}

/// A command is to be copied, so that it stays in one line however long it is.
void print_next(const char* what, const std::string& started_in,
                const std::vector<std::string>& next) {
  if (next.empty()) return;
  print_text(fmt::format("{}, in {}, with: {}\n", what, started_in, shell_line(next)));
}

base::Status show_state(const fs::path& folder, bool json) {
  TARE_TRY(const store::RunState state, store::read_run_state(folder));
  const std::vector<std::string> next = next_words(state);
  if (json) {
    print_json(store::run_state_document(state, next));
    return {};
  }
  print_fitted(state_text(state));
  print_next("go on", state.started_in, next);
  return {};
}

/// What a finished run has no answers to; "" if it has all.
std::string unanswered_text(const store::Unanswered& unanswered) {
  std::string text = failures_text(unanswered.failures);
  if (unanswered.documents > 0)
    text += fmt::format("documents without a score: {}\n", unanswered.documents);
  if (!unanswered.failures.empty() && unanswered.command.empty())
    text += "ask again: not from here, since the folder lacks the journal of its run\n";
  return text;
}

base::Status print_results(const store::RunFiles& files, const store::Unanswered& unanswered,
                           const std::vector<std::string>& next) {
  TARE_TRY(const std::string text, base::read_file(files.results));
  if (unanswered.failures.empty() && unanswered.documents == 0) {
    print_text(text);
    return {};
  }
  TARE_TRY(const base::Value results, base::json::parse(text));
  print_json(store::with_unanswered(results, unanswered, next));
  return {};
}

base::Status show_results(const store::RunFiles& files, bool json) {
  TARE_TRY(const store::FinishedRun run, store::read_run(files));
  TARE_TRY(const store::Unanswered unanswered, store::read_unanswered(files));
  std::vector<std::string> next;
  if (!unanswered.command.empty())
    next = next_words(unanswered.command, unanswered.started_in, folder_of(files));
  if (!files.passed_over.empty())
    tell("tare: note: {} is the newest of {} results there\n", files.results.string(),
         files.passed_over.size() + 1);
  if (json) return print_results(files, unanswered, next);
  print_fitted(report::console_table(run.record) + unanswered_text(unanswered),
               report::kSpareColumns);
  print_next("ask again", unanswered.started_in, next);
  return {};
}

base::Status show(const fs::path& named, bool json) {
  TARE_TRY(const bool finished, store::holds_finished_run(named));
  if (!finished && store::holds_journal(named)) return show_state(named, json);
  TARE_TRY(const store::RunFiles files, finished_run(named));
  return show_results(files, json);
}

base::Status show_budget(const fs::path& named, bool json) {
  TARE_TRY(const fs::path folder, own_folder(named, "--budget"));
  TARE_TRY(const auto budget, store::read_budget(folder));
  if (json)
    print_json(store::budget_value(budget));
  else if (budget)
    print_fitted(budget_text(*budget));
  else
    print_fitted(fmt::format(
        "{}: when the run was last started, the model was asked nothing: all answers were there; "
        "execution.json tells of that time alone\n",
        folder.string()));
  return {};
}

base::Status write_for_lm_eval(const fs::path& named, const std::string& output, bool json) {
  TARE_TRY(const fs::path folder, own_folder(named, "--lm-eval"));
  if (const auto writable = OutputFolder::check_writable(output); !writable)
    return base::in_context("--lm-eval", writable.error());
  TARE_TRY(const auto written, store::write_lm_eval_files(folder, output));
  base::List names;
  for (const fs::path& file : written) names.emplace_back(file.string());
  if (json) {
    print_json(base::Value(std::move(names)));
    return {};
  }
  for (const fs::path& file : written) print_text(file.string() + "\n");
  return {};
}

base::Result<ExitCode> compare(const ShowOptions& options) {
  TARE_TRY(const store::RunFiles left, finished_run(options.run));
  TARE_TRY(const store::RunFiles right, finished_run(options.against));
  TARE_TRY(const study::Side first, finished_side(left, options.run));
  TARE_TRY(const study::Side second, finished_side(right, options.against));
  return print_parity(first, second, options.json);
}

/// Error: two options that each take the place of the table.
base::Status check_alone(const ShowOptions& options) {
  std::vector<std::string> given;
  if (!options.against.empty()) given.emplace_back("--against");
  if (options.budget) given.emplace_back("--budget");
  if (!options.lm_eval.empty()) given.emplace_back("--lm-eval");
  if (given.size() < 2) return {};
  return base::usage_error(
      fmt::format("{} and {} exclude each other; give one of them", given[0], given[1]));
}

base::Result<ExitCode> do_show(const ShowOptions& options) {
  TARE_CHECK(check_alone(options));
  if (!options.against.empty()) return compare(options);
  if (!options.lm_eval.empty()) {
    TARE_CHECK(write_for_lm_eval(options.run, options.lm_eval, options.json));
  } else if (options.budget) {
    TARE_CHECK(show_budget(options.run, options.json));
  } else {
    TARE_CHECK(show(options.run, options.json));
  }
  return kDone;
}

}  // namespace

ExitCode show_command(std::vector<std::string> args) {
  CLI::App app(
      "Prints the table of a finished run, tare's or lm-eval's, or how far one of tare's is that "
      "was stopped.",
      "tare show");
  ShowOptions options;
  app.add_option("run", options.run, "output folder of the run, or a file of results")
      ->required()
      ->type_name(kFolder);
  app.add_option("--against", options.against, "compare the prompts with those of this run instead")
      ->type_name(kFolder);
  app.add_flag("--budget", options.budget,
               "print what the run was expected to take, and took, instead");
  app.add_option("--lm-eval", options.lm_eval,
                 "write the files of the run below this folder under the names that lm-eval gives "
                 "its own, for programs that look for them, and print the names instead")
      ->type_name(kFolder);
  app.add_flag(
      "--json", options.json,
      "print a JSON document: the results, how far the run is, or what is printed instead");
  if (const auto code = parse(app, std::move(args))) return *code;
  const auto code = do_show(options);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
