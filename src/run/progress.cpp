#include "run/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tare::run {
namespace {

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string bar(double share, std::size_t cells) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(cells));
  std::string text(std::min(filled, cells), '=');
  if (filled < cells) text += '>';
  text.resize(cells, ' ');
  return text;
}

}  // namespace

std::string_view phase_name(Phase phase) {
  constexpr std::array<std::string_view, 6> names{"load",  "plan",     "probe",
                                                  "score", "generate", "write"};
  return names.at(static_cast<std::size_t>(phase));
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::max(0.0, seconds)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string progress_line(const Progress& progress, double seconds_elapsed,
                          std::optional<double> seconds_left, std::size_t width) {
  const double share = ratio(progress.requests_done, progress.requests_total);
  std::string line =
      fmt::format("{:<8} [{}] {}/{} {:3.0f} %", phase_name(progress.phase), bar(share, 20),
                  progress.requests_done, progress.requests_total, std::floor(100 * share));
  const std::size_t computed = progress.unique_done() + progress.generated + progress.growing;
  if (computed > 0 && seconds_elapsed > 0)
    line += fmt::format("  {:.0f} {}/s", static_cast<double>(computed) / seconds_elapsed,
                        progress.bytes ? "bytes" : "tokens");
  if (progress.asked_done > progress.unique_done())
    line += fmt::format("  {:.0f} % saved",
                        100 * (1 - ratio(progress.unique_done(), progress.asked_done)));
  if (progress.requests_failed > 0) line += fmt::format("  {} failed", progress.requests_failed);
  if (seconds_left) line += fmt::format("  {} left", clock_text(*seconds_left));
  return line.substr(0, width);
}

}  // namespace tare::run
