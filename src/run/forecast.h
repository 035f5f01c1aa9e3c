#pragma once

#include <optional>

#include "run/progress.h"

namespace tare::run {

/// How fast a model is: tokens per second. Unknown where nothing was measured.
struct Speeds {
  std::optional<double> scored;      ///< unique input tokens
  std::optional<double> generated;   ///< places for new tokens, of all answers side by side
  std::optional<double> watts = {};  ///< that the machine's processors drew meanwhile
};

/// A straight line through its first point that fits all others best: work over seconds. Answers
/// come in bursts, so that the last point alone says little.
class Line {
 public:
  void add(double seconds, double work);
  /// Work per second; none before there are two points.
  [[nodiscard]] std::optional<double> slope() const;
  /// From the first point to the last.
  [[nodiscard]] double seconds() const { return last_seconds_ - first_seconds_; }

 private:
  bool started_ = false;
  double first_seconds_ = 0, last_seconds_ = 0, first_work_ = 0;
  double products_ = 0, squares_ = 0;
};

/// Estimates how long a run takes, from how it went so far. What is left to score is weighed by
/// what it costs where the backend plans that, else by its tokens. A prompt's tokens count as work
/// of generation, for less than a new token.
class Forecast {
 public:
  /// `known`: speeds of earlier runs, for a phase that has not begun.
  explicit Forecast(Speeds known = {}) : known_(known) {}

  /// `seconds` since the asking began; grows from call to call.
  void observe(const Progress& progress, double seconds);
  [[nodiscard]] std::optional<double> seconds_left() const;
  /// What was measured in this run, where it was enough to tell.
  [[nodiscard]] Speeds speeds() const;

 private:
  [[nodiscard]] std::optional<double> scoring_left() const;
  [[nodiscard]] std::optional<double> generating_left() const;
  [[nodiscard]] std::optional<double> expected_generation() const;

  Speeds known_;
  Progress last_;
  Line scored_;
  Line work_;
  Line generated_;
};

/// Seconds that a run takes whose speeds are known; answers are taken to be as long as they may be.
std::optional<double> expected_seconds(const Progress& work, const Speeds& speeds);

}  // namespace tare::run
