#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/number.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/option_table.h"
#include "cli/output_folder.h"
#include "cli/parse.h"
#include "cli/run_folder.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "compare/choice.h"
#include "compare/document.h"
#include "report/text_table.h"
#include "store/journal.h"
#include "store/study_ledger.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;
using compare::Mismatch;

struct Options {
  std::vector<std::string> runs;
  std::vector<std::string> allow, tasks, metrics, rules;
  std::string level = "95";
  fs::path output;
  bool json = false;
};

Result<std::set<Mismatch>> allowed_of(const Options& options) {
  std::set<Mismatch> allowed;
  for (const std::string& word : options.allow) {
    for (std::size_t i = 0; word == "all" && i < compare::kMismatchNames.size(); ++i)
      allowed.insert(static_cast<Mismatch>(i));
    if (word == "all") continue;
    const auto mismatch = compare::mismatch_named(word);
    if (!mismatch)
      return base::usage_error(fmt::format("--allow: '{}' is unknown; wanted all, or {}", word,
                                           fmt::join(compare::kMismatchNames, ", ")));
    allowed.insert(*mismatch);
  }
  return allowed;
}

Result<double> level_of(const Options& options) {
  const auto percent = base::read_real(options.level);
  if (percent && *percent > 0 && *percent < 100) return *percent / 100;
  return base::usage_error(fmt::format(
      "--level {}: wanted the percent of the intervals, between 0 and 100", options.level));
}

bool is_file(const fs::path& output) {
  return output.extension() == ".json" || output.extension() == ".md";
}

/// The files that `output` stands for.
struct Targets {
  fs::path json, markdown;  ///< "" for none
};

Targets targets_of(const fs::path& output) {
  if (output.extension() == ".json") return {output, {}};
  if (output.extension() == ".md") return {{}, output};
  return {output / "compare.json", output / "compare.md"};
}

fs::path folder_of(const fs::path& output) {
  if (!is_file(output)) return output;
  return output.has_parent_path() ? output.parent_path() : fs::path(".");
}

Status check_output(const Options& options) {
  if (options.output.empty()) return {};
  const std::vector<fs::path> runs(options.runs.begin(), options.runs.end());
  const Targets targets = targets_of(options.output);
  for (const fs::path* target : {&targets.json, &targets.markdown})
    if (!target->empty()) TARE_CHECK(check_output_file(*target, runs));
  return OutputFolder::check_writable(folder_of(options.output));
}

/// Of a folder that is tare's and holds no results: how far it is, or what it is.
Status check_finished(const std::vector<std::string>& runs) {
  for (const std::string& run : runs)
    if (!store::find_run(run) && (store::holds_journal(run) || store::holds_ledger(run)))
      TARE_CHECK(check_holds_results(run));
  return {};
}

std::vector<Mismatch> refused_of(const compare::PairedRuns& paired,
                                 const std::set<Mismatch>& allowed) {
  std::vector<Mismatch> refused = compare::kinds_of(paired.differences);
  std::erase_if(refused, [&](Mismatch mismatch) { return allowed.contains(mismatch); });
  return refused;
}

void tell_refused(const compare::PairedRuns& paired, const std::vector<Mismatch>& refused) {
  std::vector<compare::Difference> told;
  for (const compare::Difference& difference : paired.differences)
    if (std::ranges::find(refused, difference.mismatch) != refused.end())
      told.push_back(difference);
  for (const std::string& line : compare::difference_lines(told))
    tell("{}\n", report::on_screen(line));
}

/// All pairs, or all that is wrong with them: what the runs have unlike before what they lack.
Result<std::vector<compare::PairedRuns>> pair_all(const std::vector<compare::Side>& sides,
                                                  const compare::Chosen& chosen,
                                                  const std::set<Mismatch>& allowed) {
  std::vector<compare::PairedRuns> all;
  std::set<Mismatch> refused;
  for (std::size_t i = 1; i < sides.size(); ++i) {
    TARE_TRY(auto paired, compare::pair_with_first(sides, i, chosen));
    const auto kinds = refused_of(paired, allowed);
    tell_refused(paired, kinds);
    refused.insert(kinds.begin(), kinds.end());
    all.push_back(std::move(paired));
  }
  for (std::size_t i = 1; i < sides.size() && refused.empty(); ++i)
    TARE_CHECK(compare::check_compared(sides[0], sides[i], chosen, all[i - 1]));
  if (refused.empty()) return all;
  std::vector<std::string_view> names;
  for (const Mismatch mismatch : refused) names.push_back(compare::mismatch_name(mismatch));
  return base::input_error(fmt::format(
      "the runs do not ask the same: they differ in {}; wanted runs of the same questions, or "
      "--allow {} to compare what they share all the same",
      fmt::join(names, ", "), fmt::join(names, ",")));
}

Result<std::vector<compare::Rule>> rules_of(const Options& options) {
  std::vector<compare::Rule> rules;
  for (const std::string& text : options.rules) {
    TARE_TRY(auto rule, compare::parse_rule(text));
    rules.push_back(std::move(rule));
  }
  return rules;
}

Status write_output(const fs::path& output, const compare::Comparison& comparison,
                    const std::vector<compare::Judged>& judged) {
  if (output.empty()) return {};
  TARE_CHECK(base::ensure_writable_folder(folder_of(output)));
  const Targets targets = targets_of(output);
  if (!targets.json.empty())
    TARE_CHECK(base::write_file(
        targets.json,
        base::json::dump(compare::document_of(comparison, judged), {.indent = 2}) + "\n"));
  if (targets.markdown.empty()) return {};
  return base::write_file(targets.markdown, compare::markdown(comparison, judged));
}

ExitCode code_of(const compare::Comparison& comparison,
                 const std::vector<compare::Judged>& judged) {
  const auto holds = [](const compare::Judged& one) { return one.ruling.holds; };
  if (std::ranges::any_of(judged, holds)) return kWorkFailed;
  const bool failed =
      std::ranges::any_of(comparison.pairs, [](const auto& versus) { return versus.failed > 0; });
  return failed ? kDoneWithFailures : kDone;
}

/// Error: two runs of which no metric could be compared, with the reason of the first.
base::Status check_measured(const compare::Comparison& comparison) {
  for (const compare::Versus& versus : comparison.pairs) {
    const bool compared = std::ranges::any_of(
        versus.metrics,
        [](const compare::Measured& measured) { return measured.not_compared.empty(); });
    if (compared || versus.metrics.empty()) continue;
    const compare::Measured& first = versus.metrics.front();
    return base::input_error(fmt::format(
        "{} against {}: nothing was compared: {} {}: {}", comparison.sides[versus.second].letter,
        comparison.sides[0].letter, first.task, first.metric, first.not_compared));
  }
  return {};
}

Result<ExitCode> run_compare(const Options& options) {
  TARE_TRY(const std::vector<compare::Rule> rules, rules_of(options));
  TARE_TRY(const std::set<Mismatch> allowed, allowed_of(options));
  compare::MeasureOptions measuring;
  TARE_TRY(measuring.level, level_of(options));
  TARE_CHECK(check_output(options));
  TARE_CHECK(check_finished(options.runs));
  TARE_TRY(std::vector<compare::Side> sides, compare::read_sides(options.runs));
  for (const compare::Rule& rule : rules) TARE_CHECK(compare::check_rule(rule, sides));
  const compare::Chosen chosen{options.tasks, compare::whole_metrics(sides, options.metrics)};
  TARE_TRY(auto paired, pair_all(sides, chosen, allowed));
  const compare::Comparison comparison =
      compare::compare(std::move(sides), std::move(paired), measuring);
  std::vector<compare::Judged> judged;
  for (const compare::Rule& rule : rules) {
    TARE_TRY(auto ruling, compare::judge(rule, comparison));
    judged.push_back({rule, std::move(ruling)});
  }
  const Status written = write_output(options.output, comparison, judged);
  if (options.json)
    fmt::print("{}\n", base::json::dump(compare::document_of(comparison, judged), {.indent = 2}));
  else
    fmt::print("{}", compare::screen(comparison, judged, output_width().value_or(0)));
  TARE_CHECK(written);
  TARE_CHECK(check_measured(comparison));
  return code_of(comparison, judged);
}

}  // namespace

ExitCode compare_command(std::vector<std::string> args) {
  CLI::App app(
      "Compares finished runs of the same questions, tare's or lm-eval's, item by item: every run "
      "with the first one.",
      "tare compare");
  Options options;
  app.add_option("runs", options.runs,
                 "two or more: output folders, lm-eval's too, or files of results")
      ->required()
      ->type_name(kFolder)
      ->expected(2, -1);
  app.add_option("--tasks", options.tasks, "compare these tasks alone")->type_name(kTasks);
  app.add_option("--metric", options.metrics, "compare these metrics alone");
  app.add_option("--allow", options.allow, "compare though the runs differ in these")
      ->type_name(fmt::format("all|{}", fmt::join(compare::kMismatchNames, "|")));
  app.add_option("--level", options.level, "percent of the intervals (default 95)")
      ->type_name(kReal);
  app.add_option("--fail-if", options.rules,
                 "exit code 1 if this holds, as in 'acc drops by 0.01 at 95 %'; can be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--output,-o", options.output,
                 "folder for compare.md and compare.json, or one file.md or file.json")
      ->type_name(kFolder);
  app.add_flag("--json", options.json, "print a JSON document");
  if (const auto code = parse(app, std::move(args))) return *code;
  for (auto* list : {&options.allow, &options.tasks, &options.metrics}) *list = split_words(*list);
  const auto code = run_compare(options);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
