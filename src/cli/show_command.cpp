#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
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

}  // namespace

ExitCode show_command(std::vector<std::string> args) {
  CLI::App app("Prints the table of a finished run.", "tare show");
  std::string folder;
  app.add_option("run", folder, "output folder of the run")->required();
  if (const auto code = parse(app, std::move(args))) return *code;
  const auto shown = show(folder);
  return shown ? kDone : report(shown.error());
}

}  // namespace tare::cli
