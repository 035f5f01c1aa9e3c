#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/screen_width.h"
#include "cli/terminal.h"
#include "report/fitted_tables.h"

namespace tare::cli {
bool is_terminal(Stream stream) {
  return isatty(stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

std::optional<std::size_t> output_width() {
  const std::size_t width = is_terminal(Stream::output) ? screen_width() : 0;
  return width > 0 ? std::optional(width) : std::nullopt;
}

std::size_t help_width() {
  constexpr std::size_t kNarrowest = 40, kUsual = 100, kWidest = 120;
  const std::size_t width = screen_width();
  return std::clamp(width > 0 ? width : kUsual, kNarrowest, kWidest);
}

void print_fitted(std::string_view text) {
  const auto width = output_width();
  fmt::print("{}", width ? report::fit_tables(text, *width) : std::string(text));
}

bool has_colours(Stream stream) {
  const char* refused = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool can = kind != nullptr && std::string_view(kind) != "dumb";
  return can && (refused == nullptr || *refused == 0) && is_terminal(stream);
}

}  // namespace tare::cli
