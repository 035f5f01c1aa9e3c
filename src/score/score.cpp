#include "score/score.h"

#include <fmt/format.h>

#include <algorithm>

#include "score/check.h"
#include "score/documents.h"
#include "score/estimates.h"
#include "score/warnings.h"

namespace tare::score {

using core::BuiltTask;
using core::Response;

base::Status check_metrics(const BuiltTask& task, const core::Functions* functions) {
  TARE_CHECK(check_task(task, functions));
  return {};
}

base::Result<core::TaskScore> score_task(const BuiltTask& task, std::span<const Response> responses,
                                         core::Functions* functions) {
  TARE_TRY(const Scoring scoring, check_task(task, functions));
  const std::size_t wanted = task.requests.size() * task.repeats;
  if (responses.size() != wanted)
    return base::work_failed(
        fmt::format("task {}: {} responses, wanted {}", task.name, responses.size(), wanted));
  core::TaskScore score;
  for (const core::FilterPipeline& pipeline : task.filters) {
    core::FilterScore filtered = score_documents(task, scoring, pipeline, responses, functions);
    const auto estimates = estimate(task, scoring, filtered, functions);
    score.estimates.insert(score.estimates.end(), estimates.begin(), estimates.end());
    score.filters.push_back(std::move(filtered));
  }
  for (std::size_t i = 0; i < task.documents.size(); ++i)
    score.failed_documents += std::ranges::any_of(
        score.filters, [&](const core::FilterScore& filter) { return filter.documents[i].failed; });
  score.warnings = task_warnings(task, responses, score);
  return score;
}

}  // namespace tare::score
