#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/option_table.h"
#include "cli/parse.h"
#include "cli/report_page.h"
#include "cli/tell.h"

namespace tare::cli {
namespace {

/// As many as a page has letters and columns for.
constexpr std::size_t kMostRuns = 8;

base::Status make_report(const ReportOptions& options) {
  if (options.runs.size() > kMostRuns)
    return base::usage_error(fmt::format("{} runs are named; wanted at most {} in one report",
                                         options.runs.size(), kMostRuns));
  TARE_CHECK(write_report(options));
  if (!options.quiet) tell("report in {}\n", options.output.string());
  return {};
}

}  // namespace

ExitCode report_command(std::vector<std::string> args) {
  CLI::App app(
      "Writes an HTML file to look at finished runs: scores, warnings, each item with its prompt "
      "and answers. Several runs stand side by side; the first is the baseline.",
      "tare report");
  ReportOptions options;
  app.add_option("runs", options.runs, "output folders of the runs")
      ->required()
      ->type_name(kFolder);
  app.add_option("--output,-o", options.output, "the HTML file")->required()->type_name(kFile);
  app.add_flag("--token-logprobs", options.token_logprobs,
               "ask the models again for the log-probability of each scored token (gguf: models)");
  app.add_flag("--quiet,-q", options.quiet, "do not say where it is");
  if (const auto code = parse(app, std::move(args))) return *code;
  const auto made = make_report(options);
  return made ? kDone : report(made.error());
}

}  // namespace tare::cli
