#include "cli/option_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/parse.h"

namespace tare::cli {
namespace {

/// The heading that CLI11 gives what has none of its own.
constexpr std::string_view kUsual = "Options";

std::vector<std::string> flags(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

OptionRow row_of(const CLI::Option& option, bool positional) {
  OptionRow row;
  row.positional = positional;
  row.names = positional ? std::vector{option.get_name(true)} : flags(option);
  row.meaning = option.get_description();
  row.heading = positional || option.get_group() == kUsual ? "" : option.get_group();
  row.required = option.get_required();
  const bool flag = option.get_items_expected_max() == 0;
  if (!flag) row.value = option.get_type_name().empty() ? "TEXT" : option.get_type_name();
  row.many = !flag && option.get_allow_extra_args() && option.get_items_expected_max() > 1;
  row.optional = !flag && option.get_items_expected_min() == 0;
  return row;
}

/// A word that stands alone may be an option too.
void add_rows(const CLI::Option& option, CommandPage& page) {
  if (option.get_positional()) page.options.push_back(row_of(option, true));
  if (!option.get_snames().empty() || !option.get_lnames().empty())
    page.options.push_back(row_of(option, false));
}

bool hidden(const CLI::Option& option) {
  return option.get_group().empty();
}

}  // namespace

CommandPage page_of(const CLI::App& app) {
  CommandPage page{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!hidden(*option)) add_rows(*option, page);
  for (const CLI::App* part : app.get_subcommands([](const CLI::App*) { return true; })) {
    page.commands.push_back(page_of(*part));
    page.commands.back().name = page.name + " " + page.commands.back().name;
  }
  return page;
}

CommandPage page_of(const Command& command) {
  CommandPage page;
  const AppReader reader([&](const CLI::App& app) { page = page_of(app); });
  command.run({});
  return page;
}

std::vector<std::string> choices(const OptionRow& row) {
  std::vector<std::string> words;
  if (row.value.find('|') != std::string::npos) words = CLI::detail::split(row.value, '|');
  // What is spelled in capitals, "N|auto", stands for something.
  std::erase_if(words, [](const std::string& word) {
    return std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; }) &&
           std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  });
  return words;
}

}  // namespace tare::cli
