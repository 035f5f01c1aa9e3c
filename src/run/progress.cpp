#include "run/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tare::run {
namespace {

double share_done(const Progress& progress) {
  if (progress.requests_total == 0) return 1;
  return static_cast<double>(progress.requests_done) / static_cast<double>(progress.requests_total);
}

std::string bar(double share, std::size_t cells) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(cells));
  std::string text(std::min(filled, cells), '=');
  if (filled < cells) text += '>';
  text.resize(cells, ' ');
  return text;
}

}  // namespace

Pace pace(const Progress& progress, double seconds_elapsed) {
  Pace result;
  if (progress.requests_done == 0 || seconds_elapsed <= 0) return result;
  result.requests_per_second = static_cast<double>(progress.requests_done) / seconds_elapsed;
  if (progress.tokens_done == 0) return result;
  result.tokens_per_second = static_cast<double>(progress.tokens_done) / seconds_elapsed;
  const auto left = static_cast<double>(progress.tokens_total - progress.tokens_done);
  result.seconds_left = left / *result.tokens_per_second;
  return result;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::max(0.0, seconds)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string progress_line(const Progress& progress, double seconds_elapsed, std::size_t width) {
  const double share = share_done(progress);
  const Pace now = pace(progress, seconds_elapsed);
  std::string line = fmt::format("[{}] {}/{} {:3.0f} %", bar(share, 20), progress.requests_done,
                                 progress.requests_total, std::floor(100 * share));
  if (now.requests_per_second) line += fmt::format("  {:.1f} items/s", *now.requests_per_second);
  if (now.tokens_per_second) line += fmt::format("  {:.0f} tokens/s", *now.tokens_per_second);
  if (now.seconds_left) line += fmt::format("  {} left", clock_text(*now.seconds_left));
  return line.substr(0, width);
}

}  // namespace tare::run
