#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/value.h"
#include "core/score.h"

namespace tare::core {

/// Seconds of wall time of each phase of a run.
struct Timings {
  double load_tasks = 0, load_model = 0, plan = 0, score = 0, total = 0;
  double to_first_result = 0;  ///< from the start of the process to the first scored request
  double probe = 0;            ///< measuring Invariance
};

/// Where the answers of a run came from.
struct AnswerCounts {
  std::size_t asked = 0;    ///< from the model, now
  std::size_t journal = 0;  ///< from an earlier part of the run
  std::size_t cache = 0;    ///< from other runs
};

/// Tokens that went through the model.
struct ComputedTokens {
  std::size_t computed = 0;  ///< padding not counted
  std::size_t padding = 0;
};

/// What asking a model takes, as far as it is known.
struct Cost {
  std::optional<std::size_t> tokens;  ///< that go through the model, filling apart
  std::optional<double> flops, seconds, joules;
};

/// What was estimated before the first question, and what it took.
struct Budget {
  Cost estimated, real;
  bool at_most = false;  ///< answers may have ended before their greatest length
};

/// How a run went this time: nothing of it can change a result.
struct Execution {
  double started = 0, ended = 0;  ///< Unix time
  Timings timings;
  AnswerCounts answers;
  std::optional<ComputedTokens> tokens;  ///< none: the backend does not count them
  std::optional<Budget> budget;          ///< none: nothing was asked
  base::Value backend;                   ///< the backend's settings that change no number, a dict
  base::Value machine;                   ///< what it ran on, a dict
  std::vector<Warning> warnings;         ///< about the machine, e.g. kernels that do not run on it
  std::size_t peak_memory = 0;           ///< bytes that were resident at most
};

}  // namespace tare::core
