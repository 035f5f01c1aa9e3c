#include "cli/expected_time.h"

#include <fmt/format.h>

#include "cli/speed_memory.h"
#include "run/workload.h"

namespace tare::cli {

std::string time_text(const run::Progress& work, const run::Speeds& speeds) {
  const auto seconds = run::expected_seconds(work, speeds);
  if (!seconds)
    return "time: unknown; no run of this model with these options was long enough on this machine "
           "to tell";
  std::string text =
      fmt::format("time: {} {} on this machine, where the last run",
                  work.answers_total > 0 ? "at most" : "about", run::clock_text(*seconds));
  if (work.scored_total > 0) text += fmt::format(" scored {:.0f} unique tokens/s", *speeds.scored);
  if (work.scored_total > 0 && work.answers_total > 0) text += " and";
  if (work.answers_total > 0) text += fmt::format(" wrote {:.0f} tokens/s", *speeds.generated);
  return text;
}

std::optional<store::PlannedTime> expected_time(const plan::Plan& plan,
                                                std::span<const core::BuiltTask> tasks,
                                                const RunOptions& options) {
  if (plan.requests.empty()) return std::nullopt;
  const run::Workload work(plan, tasks, plan.order, plan.generations);
  const auto seconds =
      run::expected_seconds(work.progress(), speed_memory().recall(speed_key(options)));
  if (!seconds) return std::nullopt;
  return store::PlannedTime{*seconds, work.progress().answers_total > 0};
}

std::string time_line(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                      const RunOptions& options) {
  const run::Workload work(plan, tasks, plan.order, plan.generations);
  return time_text(work.progress(), speed_memory().recall(speed_key(options)));
}

}  // namespace tare::cli
