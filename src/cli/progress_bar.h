#pragma once

#include <chrono>

#include "run/execute.h"

namespace tare::cli {

/// Shows progress on stderr: one line that redraws itself on a terminal, a line now and then where
/// stderr is a file or a pipe, nothing when `quiet`.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(const run::Progress& progress);
  /// The last state with a line end; nothing if nothing was shown.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const run::Progress& progress, double elapsed);

  bool quiet_;
  bool terminal_;
  bool open_line_ = false;
  bool shown_ = false;
  run::Progress last_;
  std::size_t drawn_requests_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_;
};

}  // namespace tare::cli
