#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/number.h"
#include "cli/terminal.h"

namespace tare::cli {
namespace {

/// COLUMNS, else what the terminal says; 0 where neither is known.
std::size_t told_width(int descriptor) {
  if (const char* columns = std::getenv("COLUMNS"))
    if (const auto given = base::read_integer(columns); given && *given > 0)
      return static_cast<std::size_t>(*given);
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::optional<std::size_t> width_of(Stream stream, int descriptor) {
  const std::size_t width = is_terminal(stream) ? told_width(descriptor) : 0;
  return width > 0 ? std::optional(width) : std::nullopt;
}

}  // namespace

bool is_terminal(Stream stream) {
  return isatty(stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

std::optional<std::size_t> output_width() {
  return width_of(Stream::output, STDOUT_FILENO);
}

std::optional<std::size_t> errors_width() {
  return width_of(Stream::errors, STDERR_FILENO);
}

std::size_t help_width() {
  constexpr std::size_t kNarrowest = 40, kUsual = 100, kWidest = 120;
  const std::size_t width = told_width(STDOUT_FILENO);
  return std::clamp(width > 0 ? width : kUsual, kNarrowest, kWidest);
}

bool has_colours(Stream stream) {
  const char* refused = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool can = kind != nullptr && std::string_view(kind) != "dumb";
  return can && (refused == nullptr || *refused == 0) && is_terminal(stream);
}

}  // namespace tare::cli
