#include "score/score.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "score/check.h"
#include "score/gold.h"
#include "score/warnings.h"

namespace tare::score {
namespace {

using core::BuiltTask;
using core::Response;

/// None if one of the requests failed.
std::optional<Answers> read_answers(const BuiltTask& task, std::size_t document,
                                    std::span<const Response> responses) {
  Answers answers;
  for (const Response& response : responses) {
    const auto* answer = std::get_if<core::LogLikelihood>(&response.outcome);
    if (answer == nullptr) return std::nullopt;
    answers.log_likelihoods.push_back(answer->sum);
    answers.greedy.push_back(answer->greedy);
  }
  if (task.output_type != core::OutputType::multiple_choice) return answers;
  answers.choices = &task.golds[document].choices;
  answers.gold = *gold_choices(task, document);
  const auto conditional = static_cast<std::ptrdiff_t>(answers.choices->size());
  answers.unconditional.assign(answers.log_likelihoods.begin() + conditional,
                               answers.log_likelihoods.end());
  answers.log_likelihoods.resize(answers.choices->size());
  return answers;
}

core::DocumentScore score_document(const std::vector<Wanted>& wanted,
                                   const std::optional<Answers>& answers) {
  core::DocumentScore score;
  score.failed = !answers.has_value();
  if (score.failed) return score;
  for (const Wanted& want : wanted)
    score.metrics.emplace_back(want.metric->name, want.metric->value(*answers));
  return score;
}

core::Estimate estimate(const Wanted& wanted, std::size_t place,
                        const std::vector<core::DocumentScore>& documents) {
  base::List values;
  for (const core::DocumentScore& document : documents)
    if (!document.failed) values.push_back(document.metrics[place].second);
  const Aggregated aggregated = aggregate(*wanted.aggregation, values);
  core::Estimate result;
  result.metric = wanted.metric->name;
  result.value = aggregated.value;
  result.standard_error = aggregated.standard_error;
  result.higher_is_better = wanted.higher_is_better;
  return result;
}

}  // namespace

base::Status check_metrics(const BuiltTask& task) {
  TARE_CHECK(check_task(task));
  return {};
}

base::Result<core::TaskScore> score_task(const BuiltTask& task,
                                         std::span<const Response> responses) {
  TARE_TRY(const auto wanted, check_task(task));
  if (responses.size() != task.requests.size())
    return base::work_failed(fmt::format("task {}: {} responses for {} requests", task.name,
                                         responses.size(), task.requests.size()));
  core::TaskScore score;
  const auto ranges = core::request_ranges(task);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto answers =
        read_answers(task, i, responses.subspan(ranges[i].first, ranges[i].size()));
    score.documents.push_back(score_document(wanted, answers));
    score.failed_documents += answers ? 0 : 1;
  }
  for (std::size_t place = 0; place < wanted.size(); ++place)
    score.estimates.push_back(estimate(wanted[place], place, score.documents));
  score.warnings = task_warnings(task, responses, score);
  return score;
}

}  // namespace tare::score
