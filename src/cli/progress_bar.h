#pragma once

#include <chrono>

#include "run/forecast.h"
#include "run/progress.h"

namespace tare::cli {

/// Shows progress on stderr: one line that redraws itself on a terminal, a line now and then where
/// stderr is a file or a pipe, nothing when `quiet`.
class ProgressBar {
 public:
  /// `known`: speeds of earlier runs.
  explicit ProgressBar(bool quiet, const run::Speeds& known = {});
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// A phase in which nothing is counted: its name, on a terminal.
  void enter(run::Phase phase) const;
  void show(const run::Progress& progress);
  /// What was measured so far.
  [[nodiscard]] run::Speeds speeds() const { return forecast_.speeds(); }
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
  run::Forecast forecast_;
  std::size_t drawn_requests_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_;
};

}  // namespace tare::cli
