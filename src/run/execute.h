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

/// A plan and a backend to responses.
namespace tare::run {

/// How far the work is; handed out after each batch. Known answers are no work.
struct Progress {
  std::size_t requests_done = 0, requests_total = 0;
  std::size_t tokens_done = 0, tokens_total = 0;  ///< input tokens of requests
  std::size_t tokens_generated = 0;
};

struct Hooks {
  std::function<void(const Progress&)> progress;  ///< may be empty
  std::stop_token stop;
};

/// Answers from elsewhere, and where new ones go.
struct Answers {
  /// Of an earlier part of this run, or of another one that asked the same: not asked again.
  std::vector<core::Answered> known;
  /// Makes answers durable. Only then they count. May be empty.
  std::function<base::Status(std::span<const core::Answered>)> keep;
};

/// Responses of each task in the order of its requests, `repeats` in a row for each.
using Responses = std::vector<std::vector<core::Response>>;

/// Asks what is not known yet. Skipped requests and those that the backend did not answer are
/// recorded as failed, with the reason. Where answers cannot be kept the work ends.
base::Result<Responses> execute(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                                backend::Backend& backend, const Answers& answers,
                                const Hooks& hooks);

}  // namespace tare::run
