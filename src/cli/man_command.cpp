#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "cli/command.h"
#include "cli/man_page.h"
#include "cli/option_table.h"
#include "cli/output_folder.h"
#include "cli/parse.h"
#include "cli/terminal.h"
#include "cli/unknown_name.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

/// A page and the name of its file.
struct Page {
  std::string file, text;
};

/// The page of a command, or of tare where none is named.
base::Result<Page> page_named(const std::string& name) {
  if (name.empty()) return Page{"tare.1", man_page_of_program()};
  const Command* command = find_command(name);
  if (command == nullptr) return unknown_name("man", name, command_names());
  return Page{fmt::format("tare-{}.1", name), man_page(page_of(*command))};
}

base::Status print_page(const std::string& name) {
  TARE_TRY(const Page page, page_named(name));
  print_text(page.text);
  return {};
}

/// The page of the command that is named; without one all.
base::Status write_pages(const std::string& name, const fs::path& folder) {
  std::vector<std::string> names{name};
  if (name.empty()) std::ranges::copy(command_names(), std::back_inserter(names));
  std::vector<Page> pages;
  for (const std::string& one : names) {
    TARE_TRY(Page page, page_named(one));
    pages.push_back(std::move(page));
  }
  if (const auto writable = OutputFolder::check_writable(folder); !writable)
    return base::in_context("--output", writable.error());
  TARE_CHECK(base::ensure_writable_folder(folder));
  for (const Page& page : pages) TARE_CHECK(base::write_file(folder / page.file, page.text));
  return {};
}

}  // namespace

ExitCode man_command(std::vector<std::string> args) {
  CLI::App app("Prints the manual page of a command, or of tare, for man: tare man run | man -l -",
               "tare man");
  std::string name;
  fs::path folder;
  app.add_option("command", name, "a command of tare")->type_name("COMMAND");
  app.add_option("--output,-o", folder,
                 "write the page into this folder instead; all pages where no command is named")
      ->type_name(kFolder);
  if (const auto code = parse(app, std::move(args))) return *code;
  const base::Status done = folder.empty() ? print_page(name) : write_pages(name, folder);
  return done ? kDone : report(done.error());
}

}  // namespace tare::cli
