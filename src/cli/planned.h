#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/prepare.h"
#include "cli/run_options.h"
#include "plan/plan.h"
#include "plan/savings.h"
#include "plan/shard.h"
#include "store/planned.h"

namespace tare::cli {

/// What `tare plan` found out; the later members are empty without a model.
struct Planned {
  std::vector<core::BuiltTask> tasks;
  std::optional<plan::Shard> shard;  ///< the part that is meant; none: all
  std::shared_ptr<const core::Tokenizer> tokenizer;
  bool token_ids = true;       ///< else the backend shows none, and what is called tokens is bytes
  bool chat_messages = false;  ///< the backend renders prompts, by a template that is not seen
  std::vector<core::Warning> warnings;  ///< about what the backend can
  plan::Plan plan;
  std::vector<plan::Savings> savings;  ///< of each task
  std::optional<store::PlannedTokens> tokens;
  [[nodiscard]] const char* unit() const { return token_ids ? "tokens" : "bytes"; }
  /// Of a model that runs in this process. Its error: why the run could not have the memory.
  std::optional<base::Result<store::PlannedMemory>> memory;
};

/// Tokens, order and memory of the tasks. Of a GGUF file the vocabulary alone is read.
base::Result<Planned> plan_tasks(std::vector<core::BuiltTask> tasks, const RunOptions& options);

/// The table of tasks, then tokens, memory and time, for people.
std::string planned_text(const Planned& planned, const RunOptions& options);

/// Tokens, unique tokens and the share saved, of each task and of all; "" without a model.
std::string savings_text(const Planned& planned);

/// The way of each task's first document: its tokens, what it shares, where it is computed.
std::string explain_text(const Planned& planned, const RunOptions& options);

}  // namespace tare::cli
