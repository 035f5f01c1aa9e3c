#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/files.h"
#include "cli/command.h"
#include "cli/man_page.h"
#include "cli/option_table.h"
#include "cli/parse.h"
#include "cli/unknown_name.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

base::Status print_page(const std::string& name) {
  if (name.empty()) {
    fmt::print("{}", man_page_of_program());
    return {};
  }
  const Command* command = find_command(name);
  if (command == nullptr) return unknown_name("man", name, command_names());
  fmt::print("{}", man_page(page_of(*command)));
  return {};
}

base::Status write_pages(const fs::path& folder) {
  TARE_CHECK(base::ensure_writable_folder(folder));
  TARE_CHECK(base::write_file(folder / "tare.1", man_page_of_program()));
  for (const Command& command : commands()) {
    const std::string name = fmt::format("tare-{}.1", command.name);
    TARE_CHECK(base::write_file(folder / name, man_page(page_of(command))));
  }
  return {};
}

}  // namespace

ExitCode man_command(std::vector<std::string> args) {
  CLI::App app("Prints the manual page of a command, or of tare, for man: tare man run | man -l -",
               "tare man");
  std::string name;
  fs::path folder;
  app.add_option("command", name, "a command of tare")->type_name("COMMAND");
  app.add_option("--output,-o", folder, "write all pages into this folder instead")
      ->type_name(kFolder);
  if (const auto code = parse(app, std::move(args))) return *code;
  const base::Status done = folder.empty() ? print_page(name) : write_pages(folder);
  return done ? kDone : report(done.error());
}

}  // namespace tare::cli
