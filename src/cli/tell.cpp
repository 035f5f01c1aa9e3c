#include "cli/tell.h"

#include <cstdio>

#include "cli/terminal.h"

namespace tare::cli {
namespace {

constexpr std::string_view kWarning = "tare: warning:";
constexpr std::string_view kRed = "\x1b[31m", kYellow = "\x1b[33m", kPlain = "\x1b[0m";

std::string painted(std::string_view text, std::string_view colour) {
  if (!has_colours(Stream::errors)) return std::string(text);
  return fmt::format("{}{}{}", colour, text, kPlain);
}

}  // namespace

void tell_text(std::string_view text) {
  std::string line(text);
  if (text.starts_with(kWarning)) line.replace(0, kWarning.size(), painted(kWarning, kYellow));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string red(std::string_view text) {
  return painted(text, kRed);
}

}  // namespace tare::cli
