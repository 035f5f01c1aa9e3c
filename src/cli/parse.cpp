#include "cli/parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace tare::cli {

void dash_flags(std::vector<std::string>& args) {
  for (std::string& arg : args) {
    if (!arg.starts_with("--")) continue;
    const auto end = std::find(arg.begin(), arg.end(), '=');
    std::replace(arg.begin(), end, '_', '-');
  }
}

std::optional<ExitCode> parse(CLI::App& app, std::vector<std::string> args) {
  dash_flags(args);
  std::reverse(args.begin(), args.end());  // CLI11 takes them as a stack
  try {
    app.parse(std::move(args));
  } catch (const CLI::CallForHelp& help) {
    app.exit(help);
    return kDone;
  } catch (const CLI::ParseError& fault) {
    return report({base::ErrorKind::usage,
                   fmt::format("{} ({} --help lists the options)", fault.what(), app.get_name())});
  }
  return std::nullopt;
}

}  // namespace tare::cli
