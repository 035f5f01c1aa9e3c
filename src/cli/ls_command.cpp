#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "base/json.h"
#include "base/python.h"
#include "cli/command.h"
#include "cli/listing.h"
#include "cli/option_table.h"
#include "cli/parse.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "report/fitted_tables.h"

namespace tare::cli {
namespace {

/// Line ends and tabs in it would be those of the list.
std::string cell(const base::Value& value) {
  if (!value.is_list()) return in_one_line(base::python::str(value));
  std::string text;
  for (const base::Value& item : value.items())
    text += (text.empty() ? "" : " ") + base::python::str(item);
  return in_one_line(text);
}

void print_aligned(const Listing& listing, std::size_t width) {
  std::vector<std::vector<std::string>> rows;
  for (const base::List& row : listing.rows) {
    std::vector<std::string>& cells = rows.emplace_back();
    for (const base::Value& value : row) cells.push_back(cell(value));
  }
  print_text(report::aligned_rows(rows, width));
}

void print_table(const Listing& listing) {
  if (const auto width = output_width()) return print_aligned(listing, *width);
  for (const base::List& row : listing.rows) {
    std::string line;
    for (const base::Value& value : row) line += (line.empty() ? "" : "\t") + cell(value);
    print_text(line.substr(0, line.find_last_not_of('\t') + 1) + "\n");
  }
}

void print_json(const Listing& listing) {
  base::List all;
  for (const base::List& row : listing.rows) {
    base::Dict entry;
    for (std::size_t i = 0; i < row.size(); ++i) entry.set(listing.columns[i], row[i]);
    all.emplace_back(std::move(entry));
  }
  print_text(base::json::dump(base::Value(std::move(all)), {.indent = 2}) + "\n");
}

}  // namespace

ExitCode ls_command(std::vector<std::string> args) {
  std::string what;
  std::vector<std::filesystem::path> include_paths;
  bool json = false;
  CLI::App app(
      "Lists what there is, one a line; where no terminal reads, with tabs between columns.",
      "tare ls");
  app.add_option("what", what, "what is listed")
      ->type_name(fmt::format("{}", fmt::join(listing_kinds(), "|")));
  app.add_option("--include-path", include_paths, "folder with more task YAML files; repeatable")
      ->type_name(kFolder)
      ->allow_extra_args(false);
  app.add_flag("--json", json, "print a JSON list of objects");
  if (const auto code = parse(app, std::move(args))) return *code;
  const auto listing = list(what, include_paths);
  if (!listing) return report(listing.error());
  json ? print_json(*listing) : print_table(*listing);
  for (const std::string& warning : listing->warnings) tell("tare: warning: {}\n", warning);
  return kDone;
}

}  // namespace tare::cli
