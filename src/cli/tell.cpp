#include "cli/tell.h"

#include <cstdio>

#include "cli/terminal.h"
#include "report/text_table.h"

namespace tare::cli {
namespace {

constexpr std::string_view kWarning = "tare: warning:";
constexpr std::string_view kRed = "\x1b[31m", kYellow = "\x1b[33m", kPlain = "\x1b[0m";

std::string painted(std::string_view text, std::string_view colour) {
  if (!has_colours(Stream::errors)) return std::string(text);
  return fmt::format("{}{}{}", colour, text, kPlain);
}

void write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Lists that an error brings along are indented.
std::string with_lists_alone(std::string_view text) {
  constexpr std::string_view kItem = "\n  ";
  std::string out;
  for (std::size_t at = text.find(kItem); at != std::string_view::npos; at = text.find(kItem)) {
    out += in_one_line(text.substr(0, at)) + "\n";
    text.remove_prefix(at + 1);
  }
  return out + in_one_line(text);
}

}  // namespace

void tell_text(std::string_view text) {
  std::string shown = shown_on(Stream::errors, text);
  if (shown.starts_with(kWarning)) shown.replace(0, kWarning.size(), painted(kWarning, kYellow));
  write(shown);
}

void tell_error(std::string_view text) {
  write(fmt::format("{} {}\n", painted("tare:", kRed), with_lists_alone(text)));
}

void tell_over(std::string_view text, std::size_t width) {
  write(fmt::format("\r{:<{}}", in_one_line(text), width));
}

std::string in_one_line(std::string_view text) {
  return report::on_screen_line(text);
}

}  // namespace tare::cli
