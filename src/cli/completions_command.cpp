#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command.h"
#include "cli/parse.h"
#include "cli/shell_scripts.h"
#include "cli/terminal.h"
#include "cli/unknown_name.h"

namespace tare::cli {
namespace {

base::Status print_script(const std::string& shell) {
  const auto scripts = shell_scripts();
  const auto found = std::ranges::find(scripts, shell, &ShellScript::shell);
  if (found != scripts.end()) {
    print_text(found->text);
    return {};
  }
  std::vector<std::string> names;
  for (const ShellScript& script : scripts) names.emplace_back(script.shell);
  return unknown_name("completions", shell, names);
}

}  // namespace

ExitCode completions_command(std::vector<std::string> args) {
  CLI::App app(
      "Prints what makes a shell complete the words of tare. For bash, put "
      "\"source <(tare completions bash)\" into ~/.bashrc.",
      "tare completions");
  std::string shell;
  app.add_option("shell", shell, "the shell")->required()->type_name("bash|zsh|fish");
  if (const auto code = parse(app, std::move(args))) return *code;
  const base::Status done = print_script(shell);
  return done ? kDone : report(done.error());
}

}  // namespace tare::cli
