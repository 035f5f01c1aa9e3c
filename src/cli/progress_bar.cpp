#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/tell.h"
#include "run/progress.h"

namespace tare::cli {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kLineInLog = std::chrono::seconds(10);
constexpr std::size_t kWidth = 100;

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (open_line_) tell("\n");
}

void ProgressBar::show(const run::Progress& progress) {
  last_ = progress;
  if (quiet_) return;
  const auto now = Clock::now();
  if (shown_ && now - drawn_ < (terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLineInLog)))
    return;
  drawn_ = now;
  draw(progress, std::chrono::duration<double>(now - start_).count());
}

void ProgressBar::draw(const run::Progress& progress, double elapsed) {
  shown_ = true;
  drawn_requests_ = progress.requests_done;
  const std::string line = run::progress_line(progress, elapsed, kWidth);
  if (terminal_) {
    tell("\r{:<{}}", line, kWidth);
    open_line_ = true;
  } else {
    tell("{}\n", line);
  }
  std::fflush(stderr);
}

void ProgressBar::finish() {
  if (!shown_) return;
  if (terminal_ || last_.requests_done != drawn_requests_)
    draw(last_, std::chrono::duration<double>(Clock::now() - start_).count());
  if (open_line_) tell("\n");
  open_line_ = false;
  shown_ = false;
}

}  // namespace tare::cli
