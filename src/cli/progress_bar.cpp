#include "cli/progress_bar.h"

#include <algorithm>
#include <cstdio>

#include "cli/tell.h"
#include "cli/terminal.h"

namespace tare::cli {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kLineInLog = std::chrono::seconds(10);
constexpr std::size_t kWidest = 100;

/// A line that fills the last column of a terminal is not always written over.
std::size_t line_width() {
  const auto columns = errors_width();
  return columns ? std::clamp<std::size_t>(*columns - 1, 1, kWidest) : kWidest;
}

}  // namespace

ProgressBar::ProgressBar(bool quiet, const run::Speeds& known)
    : quiet_(quiet), terminal_(is_terminal(Stream::errors)), forecast_(known) {}

ProgressBar::~ProgressBar() {
  if (open_line_) tell("\n");
}

void ProgressBar::enter(run::Phase phase) const {
  if (quiet_ || !terminal_) return;
  // The cursor goes back, so that whatever is told next covers the word.
  constexpr std::size_t kLongest = 8;
  tell_over(run::phase_name(phase), kLongest);
  tell_over("", 0);
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
  const std::size_t width = line_width();
  const std::string line = run::progress_line(progress, elapsed, forecast_.seconds_left(), width);
  if (terminal_) {
    tell_over(line, width);
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
