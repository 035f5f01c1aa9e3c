#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "core/request.h"
#include "core/task.h"
#include "plan/plan.h"
#include "run/progress.h"

/// A plan and a backend to responses.
namespace tare::run {

struct Hooks {
  /// Called before the first answer and whenever answers have come. May be empty.
  std::function<void(const Progress&)> progress;
  std::stop_token stop;
};

/// Answers from elsewhere, and where new ones go.
struct Answers {
  /// Of an earlier part of this run, or of another one that asked the same: not asked again.
  std::vector<core::Answered> known;
  /// Makes answers durable. Only then they count. May be empty.
  std::function<base::Status(std::span<const core::Answered>)> keep;
  /// What is known to have no answer: not asked either.
  std::vector<core::Failed> failed;
  /// Told once, at the end of the work, what has no answer this time. May be empty.
  std::function<base::Status(std::span<const core::Failed>)> note_failed;
};

/// Responses of each task in the order of its requests, `repeats` in a row for each.
using Responses = std::vector<std::vector<core::Response>>;

/// Asks what is not known yet. Skipped requests and those that the backend did not answer are
/// recorded as failed, with the reason. Where answers cannot be kept the work ends.
base::Result<Responses> execute(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                                backend::Backend& backend, const Answers& answers,
                                const Hooks& hooks);

}  // namespace tare::run
