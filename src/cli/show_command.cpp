#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/parity_sides.h"
#include "cli/parity_text.h"
#include "cli/parse.h"
#include "report/console.h"
#include "store/read_results.h"

namespace tare::cli {
namespace {

base::Status show(const std::filesystem::path& folder) {
  TARE_TRY(const core::RunRecord run, store::read_results(folder));
  fmt::print("{}", report::console_table(run));
  return {};
}

base::Result<ExitCode> compare(const std::string& folder, const std::string& against, bool json) {
  TARE_TRY(const study::Side left, finished_side(folder));
  TARE_TRY(const study::Side right, finished_side(against));
  return print_parity(left, right, json);
}

}  // namespace

ExitCode show_command(std::vector<std::string> args) {
  CLI::App app("Prints the table of a finished run.", "tare show");
  std::string folder, against;
  bool json = false;
  app.add_option("run", folder, "output folder of the run")->required();
  app.add_option("--against", against, "compare the prompts with those of this run instead");
  app.add_flag("--json", json, "with --against: print a JSON document");
  if (const auto code = parse(app, std::move(args))) return *code;
  if (!against.empty()) {
    const auto compared = compare(folder, against, json);
    return compared ? *compared : report(compared.error());
  }
  const auto shown = show(folder);
  return shown ? kDone : report(shown.error());
}

}  // namespace tare::cli
