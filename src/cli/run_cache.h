#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "cli/run_options.h"
#include "core/invariance.h"
#include "core/task.h"
#include "plan/plan.h"
#include "store/response_cache.h"

namespace tare::cli {

/// The response cache as a run uses it. What goes wrong with it is said once and costs no run.
class RunCache {
 public:
  /// Error: the file that the user named is none of a cache. Nothing is made.
  static base::Status check(const CacheOption& option);
  /// Opens the file that the option names, or the default one where answers can be kept, which
  /// `invariance` has a say in. `plan` and `tasks` outlive the object. Error: a file that the user
  /// named cannot be used.
  static base::Result<RunCache> open(const CacheOption& option, const backend::Backend& backend,
                                     core::InvarianceVerdict invariance, const plan::Plan& plan,
                                     std::span<const core::BuiltTask> tasks);

  /// The answers that are there to what the plan asks and `known` does not answer.
  std::vector<core::Answered> look_up(std::span<const core::Answered> known);
  void keep(std::span<const core::Answered> answers);

 private:
  RunCache(std::optional<store::ResponseCache> cache, std::optional<std::string> defaults,
           const plan::Plan& plan, std::span<const core::BuiltTask> tasks)
      : cache_(std::move(cache)), defaults_(std::move(defaults)), plan_(&plan), tasks_(tasks) {}
  /// None: an answer to this cannot stand for that of another run.
  [[nodiscard]] std::optional<std::string> key_of(std::size_t position) const;
  void give_up(const base::Error& error);

  std::optional<store::ResponseCache> cache_;  ///< none: not used
  /// How the backend generates where that is left to it; none: not known, or by chance.
  std::optional<std::string> defaults_;
  const plan::Plan* plan_;
  std::span<const core::BuiltTask> tasks_;
};

}  // namespace tare::cli
