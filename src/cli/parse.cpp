#include "cli/parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "cli/help_text.h"
#include "cli/option_table.h"
#include "cli/terminal.h"

namespace tare::cli {

void dash_flags(std::vector<std::string>& args) {
  for (std::string& arg : args) {
    if (!arg.starts_with("--")) continue;
    const auto end = std::find(arg.begin(), arg.end(), '=');
    std::replace(arg.begin(), end, '_', '-');
  }
}

void join_optional_values(std::vector<std::string>& args) {
  constexpr std::array<std::string_view, 2> kOptional{"--apply-chat-template",
                                                      "--fewshot-as-multiturn"};
  for (std::size_t i = 0; i + 1 < args.size(); ++i) {
    if (std::ranges::count(kOptional, args[i]) == 0 || args[i + 1].starts_with('-')) continue;
    args[i] += "=" + args[i + 1];
    args.erase(args.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

namespace {

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

/// The first word that is a flag but none of the app's, as far as it can be found.
std::string unknown_flag(const CLI::App& app, const std::vector<std::string>& args) {
  const auto flags = flags_of(app);
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

/// Of options that want a number, which are those that can fail to convert.
std::string conversion_fault(const CLI::App& app, std::string_view text) {
  constexpr std::string_view kBegin = "Could not convert: ";
  if (!text.starts_with(kBegin)) return std::string(text);
  text.remove_prefix(kBegin.size());
  const std::size_t equals = std::min(text.find(" = "), text.size());
  const std::string name(text.substr(0, equals));
  const CLI::Option* option = app.get_option_no_throw(name);
  const bool real = option != nullptr && option->get_type_name() == kReal;
  return fmt::format("{} {}: wanted a {}", name, text.substr(std::min(equals + 3, text.size())),
                     real ? "number" : "whole number");
}

base::Failure usage_fault(const CLI::App& app, const std::vector<std::string>& args,
                          const CLI::ParseError& fault) {
  const std::string flag = unknown_flag(app, args);
  return base::usage_error(fmt::format("{} ({} --help lists the options)",
                                       flag.empty() ? conversion_fault(app, fault.what()) : flag,
                                       app.get_name()));
}

AppReader::Read& app_reader() {
  static AppReader::Read reader;
  return reader;
}

/// Help was asked of the last of the commands that were named.
void print_help(const CLI::App& app) {
  const CLI::App* asked = &app;
  std::string name = app.get_name();
  for (auto parts = app.get_subcommands(); !parts.empty(); parts = asked->get_subcommands()) {
    asked = parts.front();
    name += " " + asked->get_name();
  }
  CommandPage page = page_of(*asked);
  page.name = name;
  fmt::print("{}", help_text(page, help_width()));
}

}  // namespace

AppReader::AppReader(Read read) {
  app_reader() = std::move(read);
}

AppReader::~AppReader() {
  app_reader() = nullptr;
}

base::Result<Parsed> try_parse(CLI::App& app, std::vector<std::string> args) {
  if (const auto& read = app_reader()) {
    read(app);
    return Parsed::help;
  }
  dash_flags(args);
  join_optional_values(args);
  // CLI11 takes the words as a stack.
  std::vector<std::string> stack(args.rbegin(), args.rend());
  try {
    app.parse(std::move(stack));
  } catch (const CLI::CallForHelp&) {
    print_help(app);
    return Parsed::help;
  } catch (const CLI::ParseError& fault) {
    return usage_fault(app, args, fault);
  }
  return Parsed::whole;
}

std::optional<ExitCode> parse(CLI::App& app, std::vector<std::string> args) {
  const auto parsed = try_parse(app, std::move(args));
  if (!parsed) return report(parsed.error());
  return *parsed == Parsed::help ? std::optional(kDone) : std::nullopt;
}

}  // namespace tare::cli
