#include "cli/option_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "cli/help_text.h"
#include "cli/man_page.h"
#include "cli/parse.h"
#include "report/fitted_tables.h"

using namespace tare;
using namespace tare::cli;

TEST_CASE("each command has a page whose options say what they mean") {
  for (const Command& command : commands()) {
    const CommandPage page = page_of(command);
    CAPTURE(page.name);
    CHECK(page.name == "tare " + std::string(command.name));
    CHECK_FALSE(page.meaning.empty());
    for (const OptionRow& row : page.options) {
      CAPTURE(row.names[0]);
      // What a heading says holds for all below it.
      CHECK((!row.meaning.empty() || !row.heading.empty()));
    }
  }
}

TEST_CASE("help and manual page have every option") {
  for (const Command& command : commands()) {
    const CommandPage page = page_of(command);
    const std::string help = help_text(page, 100);
    std::string manual = man_page(page);
    for (std::size_t at = 0; (at = manual.find("\\-")) != std::string::npos;) manual.erase(at, 1);
    for (const OptionRow& row : page.options) {
      CAPTURE(row.names[0]);
      CHECK(help.find(row.positional ? row.names[0] : option_heading(row)) != std::string::npos);
      CHECK(manual.find(row.names.back()) != std::string::npos);
    }
  }
}

namespace {

bool has_json(const CommandPage& page) {
  const bool own = std::ranges::any_of(page.options, [](const OptionRow& row) {
    return std::ranges::count(row.names, "--json") == 1;
  });
  return own || (!page.commands.empty() && std::ranges::all_of(page.commands, has_json));
}

}  // namespace

TEST_CASE("what prints data prints it as JSON too") {
  // These print text of a form of its own.
  const std::vector<std::string_view> others{"completions", "man", "report"};
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    CHECK(has_json(page_of(command)) == (std::ranges::count(others, command.name) == 0));
  }
}

TEST_CASE("an option that is a word too stands in both lists") {
  const CommandPage page = page_of(*find_command("validate"));
  const auto is_tasks = [](const OptionRow& row) {
    return std::ranges::count(row.names, row.positional ? "tasks" : "--tasks") == 1;
  };
  CHECK(std::ranges::count_if(page.options, is_tasks) == 2);
}

TEST_CASE("the parts of a command have pages of their own") {
  const CommandPage page = page_of(*find_command("fetch"));
  REQUIRE(page.commands.size() == 2);
  CHECK(page.commands[1].name == "tare fetch model");
  CHECK(usage_line(page.commands[1]) == "tare fetch model [OPTIONS] name [file]");
  CHECK(usage_line(page) == "tare fetch COMMAND [OPTIONS]");
}

TEST_CASE("choices are what is not in capitals") {
  CHECK(choices({{}, "fail|skip", {}, {}}) == std::vector<std::string>{"fail", "skip"});
  CHECK(choices({{}, "N|auto", {}, {}}) == std::vector<std::string>{"auto"});
  CHECK(choices({{}, "FILE", {}, {}}).empty());
}

TEST_CASE("help is as wide as it is asked to be") {
  const CommandPage page{
      "tare x", "one two", {{{"-a", "--all"}, "DIR", "three four five", {}}}, {}};
  CHECK(help_text(page, 60) ==
        "one two\nusage: tare x [OPTIONS]\n\noptions:\n"
        "  -a, --all DIR               three four five\n");
  CHECK(help_text(page, 20) ==
        "one two\nusage: tare x\n  [OPTIONS]\n\noptions:\n"
        "  -a, --all DIR\n      three four\n      five\n");
}

TEST_CASE("choices that are too long for a line are broken behind their bars") {
  const CommandPage page{"tare x", "", {{{"--allow"}, "prompts|answers|all", "m", {}}}, {}};
  CHECK(help_text(page, 24).find("  --allow prompts|\n    answers|all\n      m\n") !=
        std::string::npos);
}

TEST_CASE("no line of help is wider than forty columns, but for a long word") {
  for (const Command& command : commands()) {
    const std::string help = help_text(page_of(command), 40);
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      const std::size_t first = line.find_first_not_of(' ');
      CHECK((report::display_width(line) <= 40 || line.find(' ', first) == std::string::npos));
    }
  }
}

TEST_CASE("no line of a page is taken for a request of roff") {
  const CommandPage page{"tare x", ".so /etc/passwd", {{{"-a"}, "", "'quoted' \\fBbold", {}}}, {}};
  const std::string text = man_page(page);
  CHECK(text.find("\n.so") == std::string::npos);
  CHECK(text.find("\\&.so") != std::string::npos);
  CHECK(text.find("\\&'quoted' \\efBbold") != std::string::npos);
}
