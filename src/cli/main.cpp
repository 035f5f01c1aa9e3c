#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>

#include "backend/llama/llama_backend.h"
#include "base/json.h"
#include "base/nearest.h"
#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/floor_worker.h"
#include "cli/own_server.h"
#include "cli/study_worker.h"
#include "cli/terminal.h"
#include "cli/version_text.h"

namespace tare::cli {
namespace {

void print_help() {
  std::string text = fmt::format(
      "tare {}: runs benchmark tasks on language models and weighs the machinery\n\n"
      "usage: tare COMMAND [OPTIONS]    tare COMMAND --help    tare --version [--json]\n\n",
      version());
  for (const Command& command : commands())
    text += fmt::format("  {:<11} {}\n", command.name, command.summary);
  print_fitted(text);
}

base::Error unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  const auto near = base::nearest_names(word, names);
  std::string text = fmt::format("unknown command '{}'", word);
  if (!near.empty()) text += fmt::format("; did you mean {}?", base::join_or(near));
  return {base::ErrorKind::usage, text + " (tare --help lists them)"};
}

ExitCode print_version(const std::vector<std::string>& args) {
  const bool json = args.size() == 2 && args[1] == "--json";
  if (args.size() > 1 && !json)
    return report({base::ErrorKind::usage,
                   fmt::format("{} {}: takes nothing but --json", args[0], args.back())});
  if (json)
    print_text(base::json::dump(version_document(), {.indent = 2}) + "\n");
  else
    print_fitted(version_text());
  return kDone;
}

ExitCode dispatch(std::vector<std::string> args) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    print_help();
    return args.empty() ? kWrongInput : kDone;
  }
  if (args[0] == "--version" || args[0] == "-V") return print_version(args);
  // lm-eval's habit: flags without a command are those of `run`.
  if (args[0].starts_with("-")) return run_command(std::move(args));
  const Command* command = find_command(args[0]);
  if (command == nullptr) return report(unknown_command(args[0]));
  args.erase(args.begin());
  return command->run(std::move(args));
}

/// Data that did not reach its reader is a failure, whatever else went well.
ExitCode after_output(ExitCode code) {
  const int fault = std::fflush(stdout) == 0 ? 0 : errno;
  if (fault == 0 && std::ferror(stdout) == 0) return code;
  const ExitCode lost =
      report({base::ErrorKind::failed, fmt::format("standard output cannot be written: {}",
                                                   std::generic_category().message(fault))});
  return code == kDone ? lost : code;
}

}  // namespace

}  // namespace tare::cli

int main(int argc, char** argv) {
  using namespace tare::cli;
  std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 2 && args[0] == "--probe-tier")
    return tare::backend::llama::run_tier_probe(args[1]);
  if (!args.empty() && args[0] == kComplete) {
    fmt::print("{}", offers_text(offers({args.begin() + 1, args.end()})));
    return kDone;
  }
  if (args.size() == 1 && args[0] == kStudyWorker) return study_worker();
  if (args.size() == 1 && args[0] == kFloorWorker) return floor_worker();
  if (args.size() >= 2 && args[0] == kBound)
    return become_bound(std::vector<std::string>(args.begin() + 1, args.end()));
  try {
    return after_output(dispatch(std::move(args)));
  } catch (const std::system_error& fault) {
    // Thrown by what prints: the disk behind stdout is full, or its reader is gone.
    return report({tare::base::ErrorKind::failed,
                   fmt::format("standard output cannot be written: {}", fault.code().message())});
  } catch (const std::exception& fault) {
    // Out of memory, or a fault in tare itself: nothing above may lose what was finished before.
    return report({tare::base::ErrorKind::failed, fmt::format("internal error: {}", fault.what())});
  }
}
