#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/tell.h"

namespace tare::cli {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kLineInLog = std::chrono::seconds(10);
constexpr std::size_t kWidth = 100;

}  // namespace

ProgressBar::ProgressBar(bool quiet, const run::Speeds& known)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), forecast_(known) {}

ProgressBar::~ProgressBar() {
  if (open_line_) tell("\n");
}

void ProgressBar::enter(run::Phase phase) const {
  if (quiet_ || !terminal_) return;
  // The cursor goes back, so that whatever is told next covers the word.
  tell("\r{:<8}\r", run::phase_name(phase));
  std::fflush(stderr);
}

void ProgressBar::show(const run::Progress& progress) {
  last_ = progress;
  const auto now = Clock::now();
  forecast_.observe(progress, std::chrono::duration<double>(now - start_).count());
  const bool nothing = progress.requests_total == 0 || (progress.requests_done == 0 && !terminal_);
  if (quiet_ || nothing) return;
  if (shown_ && now - drawn_ < (terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLineInLog)))
    return;
  drawn_ = now;
  draw(progress, std::chrono::duration<double>(now - start_).count());
}

void ProgressBar::draw(const run::Progress& progress, double elapsed) {
  shown_ = true;
  drawn_requests_ = progress.requests_done;
  const std::string line = run::progress_line(progress, elapsed, forecast_.seconds_left(), kWidth);
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
