#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tare::run {

/// The parts of a run, in their order.
enum class Phase { load, plan, probe, score, generate, write };

std::string_view phase_name(Phase phase);

/// How far the asking of the model is. Answers that were known before are no work and are not in
/// here. Tokens to compute are unique ones: what requests have in common at their beginnings counts
/// once.
struct Progress {
  Phase phase = Phase::score;
  std::size_t requests_done = 0, requests_total = 0;
  bool bytes = false;  ///< what is called tokens below is bytes: the backend shows no tokens
  std::size_t requests_failed = 0;  ///< of those done: there will be no answer
  std::size_t asked_done = 0;       ///< input tokens of finished requests, each counted by itself
  std::size_t scored_done = 0, scored_total = 0;  ///< unique tokens of texts, finished or not
  /// Of texts to score, weighed by what it costs; total 0: the backend does not plan it.
  double work_done = 0, work_total = 0;
  double projection = 0;  ///< what a row of logits costs, in input tokens; 0: unknown
  std::size_t prompts_done = 0, prompts_total = 0;  ///< unique tokens of prompts, finished or not
  std::size_t answers_done = 0, answers_total = 0;  ///< generated ones
  std::size_t generated = 0;                        ///< tokens of finished answers
  std::size_t growing = 0;  ///< tokens of unfinished answers, where they are counted
  std::size_t places = 0;   ///< for new tokens, side by side, in all steps so far; some stay empty
  std::size_t generated_most = 0;  ///< tokens that all answers may have together

  [[nodiscard]] std::size_t unique_done() const { return scored_done + prompts_done; }
};

/// "0:07", "12:34", "1:02:03".
std::string clock_text(double seconds);

/// "score    [=====>    ] 240/960  25 %  468 tokens/s  70 % saved  0:09 left", at most `width`
/// columns. tokens/s (or bytes/s): unique input tokens and generated ones; saved: the share of
/// input tokens that was not computed since an earlier request had it.
std::string progress_line(const Progress& progress, double seconds_elapsed,
                          std::optional<double> seconds_left, std::size_t width);

}  // namespace tare::run
