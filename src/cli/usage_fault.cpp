#include "cli/usage_fault.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/nearest.h"
#include "cli/help_text.h"
#include "cli/option_table.h"

namespace tare::cli {
namespace {

using Words = std::vector<std::string>;

/// Of a command and of those above it.
Words flags_of(const CLI::App& app, const Asked& asked) {
  Words flags;
  std::vector<const CLI::App*> parts{&app};
  if (asked.app != &app) parts.push_back(asked.app);
  for (const CLI::App* part : parts)
    for (const CLI::Option* option : part->get_options())
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

/// The first word that is a flag but none of the command's, as far as it can be found.
std::string unknown_flag(const Words& flags, const Words& args) {
  for (const std::string& arg : args) {
    const std::string flag = arg.substr(0, arg.find('='));
    if (!flag.starts_with("--") || std::ranges::count(flags, flag) != 0) continue;
    if (flag == "--resume")
      return "unknown option --resume: the same command with the same --output goes on where it "
             "stopped";
    const auto near = base::nearest_names(flag, flags);
    return near.empty()
               ? "unknown option " + flag
               : fmt::format("unknown option {}, did you mean {}?", flag, base::join_or(near));
  }
  return "";
}

std::optional<OptionRow> row_named(const Asked& asked, const std::string& name) {
  for (const OptionRow& row : page_of(*asked.app).options)
    if (std::ranges::count(row.names, name) != 0) return row;
  return std::nullopt;
}

/// "DIR, output folder of the run"
std::string wanted(const Asked& asked, const std::string& name) {
  const std::optional<OptionRow> row = row_named(asked, name);
  if (!row) return "a value";
  std::string meaning = row->meaning;
  std::ranges::replace(meaning, '\n', ' ');
  std::string text = row->value == "TEXT" || meaning.starts_with(row->value) ? "" : row->value;
  if (!text.empty() && !meaning.empty()) text += ", ";
  return text + meaning;
}

bool takes_no_value(const Asked& asked, const std::string& name) {
  const std::optional<OptionRow> row = row_named(asked, name);
  return row && row->value.empty();
}

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

/// The name that stands at the beginning of what CLI11 says.
std::string name_in(std::string_view text) {
  return std::string(text.substr(0, text.find_first_of(": ")));
}

/// The number behind `before`; 0 if there is none.
std::size_t number_behind(std::string_view text, std::string_view before) {
  std::size_t number = 0;
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return number;
  text.remove_prefix(at + before.size());
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string missing_text(const Asked& asked, std::string_view text) {
  if (text.starts_with("A subcommand")) {
    Words names;
    for (const CLI::App* part : asked.app->get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(part->get_name());
    return fmt::format("no command of {} is named; wanted {}", asked.name, base::join_or(names));
  }
  const std::string name = name_in(text);
  return fmt::format("{}: nothing is given; wanted {}", name, wanted(asked, name));
}

/// "runs: At least 2 required but received 1", "--level: At Most 1 required but received 2",
/// "--level: 1 required X missing".
std::string count_text(const Asked& asked, std::string_view text) {
  const std::string name = name_in(text);
  const std::size_t received = number_behind(text, "but received ");
  if (const std::size_t least = number_behind(text, "At least "); least > 0)
    return fmt::format("{}: {} {} given; wanted {} or more", name, received,
                       received == 1 ? "is" : "are", least);
  const std::size_t most = number_behind(text, "At Most ");
  if (most == 1)
    return received == 2 ? fmt::format("{} is given twice; wanted once", name)
                         : fmt::format("{} is given {} times; wanted once", name, received);
  if (most > 1) return fmt::format("{}: {} are given; wanted {} at most", name, received, most);
  return fmt::format("{}: no value follows; wanted {}", name, wanted(asked, name));
}

/// "Could not convert: --limit = x", "The value x is not an allowed value for --json". Of options
/// that want a number, which are those that can fail to convert; and of flags.
std::string value_text(const Asked& asked, std::string_view text) {
  constexpr std::string_view kFlag = " is not an allowed value for ";
  if (const std::size_t at = text.find(kFlag); at != std::string_view::npos)
    return fmt::format("{}={}: wanted {} alone", text.substr(at + kFlag.size()),
                       without_prefix(text.substr(0, at), "The value "),
                       text.substr(at + kFlag.size()));
  constexpr std::string_view kBegin = "Could not convert: ";
  if (!text.starts_with(kBegin)) return std::string(text);
  text.remove_prefix(kBegin.size());
  const std::size_t equals = std::min(text.find(" = "), text.size());
  const std::string name(text.substr(0, equals));
  const std::string_view value = text.substr(std::min(equals + 3, text.size()));
  if (takes_no_value(asked, name)) return fmt::format("{}={}: wanted {} alone", name, value, name);
  const std::optional<OptionRow> row = row_named(asked, name);
  return fmt::format("{} {}: wanted a {}", name, value.empty() ? "''" : value,
                     row && row->value == kReal ? "number" : "whole number");
}

/// Words behind the last that the command takes.
std::string extra_text(const Asked& asked, std::string_view text) {
  const std::string_view words = text.substr(std::min(text.find(": ") + 2, text.size()));
  if (words.starts_with('-')) return fmt::format("unknown option {}", words);
  CommandPage page = page_of(*asked.app);
  page.name = asked.name;
  return fmt::format("{}: not expected; wanted {}", words, usage_line(page));
}

std::string fault_text(const Asked& asked, const CLI::ParseError& fault) {
  const std::string text = fault.what();
  if (dynamic_cast<const CLI::RequiredError*>(&fault) != nullptr) return missing_text(asked, text);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&fault) != nullptr) return count_text(asked, text);
  if (dynamic_cast<const CLI::ConversionError*>(&fault) != nullptr) return value_text(asked, text);
  if (dynamic_cast<const CLI::ExtrasError*>(&fault) != nullptr) return extra_text(asked, text);
  return text;
}

base::Failure with_help(const Asked& asked, const std::string& text) {
  return base::usage_error(fmt::format("{} ({} --help lists the options)", text, asked.name));
}

}  // namespace

Asked asked_of(const CLI::App& app) {
  Asked asked{&app, app.get_name()};
  for (auto parts = app.get_subcommands(); !parts.empty(); parts = asked.app->get_subcommands()) {
    asked.app = parts.front();
    asked.name += " " + asked.app->get_name();
  }
  return asked;
}

base::Failure usage_fault(const CLI::App& app, const Words& args, const CLI::ParseError& fault) {
  const Asked asked = asked_of(app);
  const std::string flag = unknown_flag(flags_of(app, asked), args);
  return with_help(asked, flag.empty() ? fault_text(asked, fault) : flag);
}

base::Status check_names(const CLI::App& app) {
  constexpr std::array<std::string_view, 3> kNaming{kFile, kFolder, kModel};
  const Asked asked = asked_of(app);
  for (const CLI::Option* option : asked.app->get_options()) {
    const std::string kind = option->get_type_name();
    if (std::ranges::find(kNaming, kind) == kNaming.end()) continue;
    if (std::ranges::count(option->results(), "") == 0) continue;
    const std::string name = option->get_name();
    return with_help(asked, fmt::format("{} '': wanted {}", name, wanted(asked, name)));
  }
  return {};
}

}  // namespace tare::cli
