#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "core/task.h"
#include "plan/plan.h"
#include "run/progress.h"

namespace tare::run {

/// What a backend is asked, and how much of it is done.
class Workload {
 public:
  /// `scored` and `generated`: positions in `plan.requests` whose answers are not known yet, in the
  /// plan's order. All arguments but these two outlive this.
  Workload(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
           const std::vector<std::size_t>& scored, const std::vector<std::size_t>& generated);

  /// Tokens of input stand for bytes of text, and those of answers are given as bytes.
  void count_bytes();
  void begin_generation();
  void finish_scored(std::size_t position);
  void finish_generated(std::size_t position, std::size_t tokens);
  /// There will be no answer to this request.
  void fail(std::size_t position);
  /// What the phase has computed so far, for unfinished requests too.
  void note_computed(const backend::Computed& computed);
  [[nodiscard]] const Progress& progress() const { return progress_; }

 private:
  void finish(std::size_t position);

  const plan::Plan& plan_;
  std::vector<std::size_t> unique_;   ///< by position: input tokens that no request before it had
  backend::Computed computed_;        ///< in this phase
  std::size_t scored_finished_ = 0;   ///< unique tokens of requests whose scores are there
  std::size_t prompts_finished_ = 0;  ///< unique tokens of prompts whose answers are there
  Progress progress_;
};

}  // namespace tare::run
