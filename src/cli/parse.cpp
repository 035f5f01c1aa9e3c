#include "cli/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli/help_text.h"
#include "cli/option_table.h"
#include "cli/terminal.h"
#include "cli/usage_fault.h"

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

AppReader::Read& app_reader() {
  static AppReader::Read reader;
  return reader;
}

void print_help(const CLI::App& app) {
  const Asked asked = asked_of(app);
  CommandPage page = page_of(*asked.app);
  page.name = asked.name;
  print_text(help_text(page, help_width()));
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
  TARE_CHECK(check_names(app));
  return Parsed::whole;
}

std::optional<ExitCode> parse(CLI::App& app, std::vector<std::string> args) {
  const auto parsed = try_parse(app, std::move(args));
  if (!parsed) return report(parsed.error());
  return *parsed == Parsed::help ? std::optional(kDone) : std::nullopt;
}

}  // namespace tare::cli
