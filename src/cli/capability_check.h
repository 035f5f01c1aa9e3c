#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "cli/refusals.h"
#include "cli/run_options.h"
#include "core/score.h"
#include "core/task.h"

/// What tasks need against what a backend can do, before anything is asked.
namespace tare::cli {

/// Refuses tasks that the backend cannot answer: task, what is lacking, backend, remedy.
base::Status check_capabilities(std::span<const core::BuiltTask> tasks,
                                const backend::Backend& backend, const RunOptions& options);
/// The same of a backend that is not open.
base::Status check_capabilities(std::span<const core::BuiltTask> tasks, const Abilities& abilities,
                                const RunOptions& options);

/// What cannot be told before the work: prompts that are too long, answers that are begun.
std::vector<core::Warning> capability_warnings(std::span<const core::BuiltTask> tasks,
                                               const backend::Backend& backend,
                                               const RunOptions& options);

/// Tokens that a prompt may have, as far as that can be counted; 0: any number.
std::size_t countable_context(const backend::Capabilities& can);

}  // namespace tare::cli
