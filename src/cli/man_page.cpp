#include "cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/unicode.h"
#include "cli/build_info.h"
#include "cli/help_text.h"

namespace tare::cli {
namespace {

constexpr const char* kProgram = "tare";

/// Text as roff has it: a hyphen that can be searched and copied, no line that is a request.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  const bool request = out.starts_with('.') || out.starts_with('\'');
  return (request ? "\\&" : "") + out;
}

/// "tare fetch model" is the page tare-fetch-model.
std::string page_name(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string head(const std::string& name, std::string_view meaning) {
  const std::string title = page_name(name);
  return fmt::format(".TH {} 1 \"\" \"tare {}\" \"tare manual\"\n.SH NAME\n{} \\- {}\n",
                     base::unicode::upper(title), version(), escaped(title), escaped(meaning));
}

std::string entry(const OptionRow& row) {
  std::string heading = row.positional ? row.names[0] : option_heading(row);
  std::string meaning = row.meaning;
  if (row.positional && row.many) heading += " ...";
  if (meaning.empty()) meaning = "See tare(1).";
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(heading), escaped(meaning));
}

std::string entries(const CommandPage& page, bool positional, const std::string& heading) {
  std::string text;
  for (const OptionRow& row : page.options)
    if (row.positional == positional && row.heading == heading) text += entry(row);
  return text;
}

std::string section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}", base::unicode::upper(title), text);
}

std::string headed_sections(const CommandPage& page) {
  std::string text;
  std::vector<std::string> done{""};
  for (const OptionRow& row : page.options) {
    if (std::ranges::count(done, row.heading) != 0) continue;
    done.push_back(row.heading);
    text += fmt::format(".SS {}\n{}", escaped(row.heading), entries(page, false, row.heading));
  }
  return text;
}

/// The parts of a command, each with its usage and options.
std::string parts(const CommandPage& page) {
  std::string text;
  for (const CommandPage& part : page.commands)
    text +=
        fmt::format(".SS {}\n{}\n.PP\n\\fB{}\\fR\n{}{}", escaped(part.name), escaped(part.meaning),
                    escaped(usage_line(part)), entries(part, true, ""), entries(part, false, ""));
  return text;
}

std::string exit_codes() {
  constexpr std::array<std::pair<int, const char*>, 5> kMeanings{{
      {kDone, "done"},
      {kWorkFailed, "the work failed"},
      {kWrongInput, "wrong usage or input; nothing was begun"},
      {kDoneWithFailures, "done, but some items failed; they are recorded with the reason"},
      {kInterrupted, "interrupted; what was finished is kept"},
  }};
  std::string text;
  for (const auto& [code, meaning] : kMeanings)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", code, escaped(meaning));
  return section("exit status", text);
}

std::string environment() {
  constexpr std::array<std::pair<const char*, const char*>, 6> kMeanings{{
      {"TARE_CACHE_DIR", "folder of what tare keeps (default: XDG_CACHE_HOME/tare, ~/.cache/tare)"},
      {"HF_ENDPOINT, HF_TOKEN", "the hub that data sets and models come from, and its key"},
      {"HF_HUB_OFFLINE", "1: nothing is downloaded"},
      {"OPENAI_API_KEY", "key for openai: models"},
      {"COLUMNS", "width of help and tables (default: the terminal's)"},
      {"NO_COLOR", "no colours, whatever its value"},
  }};
  std::string text;
  for (const auto& [name, meaning] : kMeanings)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(meaning));
  return section("environment", text);
}

}  // namespace

std::string man_page(const CommandPage& page) {
  const std::string word = page.name.substr(page.name.find(' ') + 1);
  const Command* command = find_command(word);
  std::string text = head(page.name, command != nullptr ? command->summary : page.meaning);
  text += section("synopsis", fmt::format("\\fB{}\\fR\n", escaped(usage_line(page))));
  text += section("description", escaped(page.meaning) + "\n");
  text += section("commands", parts(page));
  text += section("arguments", entries(page, true, ""));
  text += section("options", entries(page, false, "") + headed_sections(page));
  text += exit_codes();
  return text + section("see also", "\\fBtare\\fR(1)\n");
}

std::string man_page_of_program() {
  std::string text = head(kProgram, "runs benchmark tasks on language models");
  text += section("synopsis",
                  "\\fBtare\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.br\n\\fBtare\\fR \\-\\-version "
                  "[\\-\\-json]\n");
  text += section("description",
                  "Runs tasks of lm\\-evaluation\\-harness on language models and tells how much "
                  "of a score belongs to the model and how much to the machinery around it. "
                  "Options without a command are those of \\fBtare run\\fR.\n");
  std::string list, pages;
  for (const Command& command : commands()) {
    const std::string name = std::string(kProgram) + "-" + std::string(command.name);
    list += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(command.name), escaped(command.summary));
    pages += fmt::format("{}\\fB{}\\fR(1)", pages.empty() ? "" : ",\n", escaped(name));
  }
  text += section("commands", list);
  return text + exit_codes() + environment() + section("see also", pages + "\n");
}

}  // namespace tare::cli
