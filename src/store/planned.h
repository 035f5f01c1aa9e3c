#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "core/task.h"
#include "store/planned_budget.h"

namespace tare::store {

/// The tokens of one task's requests.
struct PlannedTaskTokens {
  std::size_t requested = 0, unique = 0;
};

/// What the requests of a run cost in tokens.
struct PlannedTokens {
  std::size_t requested = 0;       ///< Σ over requests of context and continuation
  std::size_t unique = 0;          ///< after shared prefixes are counted once
  std::size_t longest = 0;         ///< of one request
  std::size_t context_length = 0;  ///< of the model; 0: unknown
  std::size_t overlong = 0;        ///< requests that do not fit into it
  std::vector<PlannedTaskTokens> by_task = {};
};

/// What a run takes of the machine's memory, in bytes.
struct PlannedMemory {
  std::size_t weights = 0, kv_cache = 0, compute = 0, logits = 0;
  std::size_t program = 0;  ///< requests, results and the program itself
  std::size_t total = 0;
  std::size_t available = 0;  ///< free now; 0: unknown
};

/// How long a run takes, as far as earlier runs on the machine tell.
struct PlannedTime {
  double seconds = 0;
  bool at_most = false;  ///< answers may end before their greatest length
};

/// What a run costs, as far as it is known.
struct PlannedCosts {
  std::optional<PlannedTokens> tokens;
  std::optional<PlannedMemory> memory;
  std::optional<PlannedTime> time;
  std::optional<PlannedBudget> budget = {};  ///< none: not asked for
};

/// "loglikelihood", "loglikelihood_rolling" or "generate_until": what a task asks of a model.
const char* request_type(core::OutputType type);

/// The document of `tare plan --json` (docs/formats/plan.md). `model` may be ""; `prompts` is the
/// number of documents whose prompts are shown.
base::Value plan_document(const std::string& model, const std::vector<core::BuiltTask>& tasks,
                          const PlannedCosts& costs, std::size_t prompts);

}  // namespace tare::store
