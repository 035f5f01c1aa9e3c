#include "study/flips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "stats/multiplicity.h"
#include "study/observations.h"

namespace tare::study {
namespace {

using base::Value;
using store::SampledAnswer;
using Answers = std::span<const SampledAnswer>;

/// A filter and one of its metrics.
struct Judge {
  std::string filter, metric;
};

std::optional<bool> verdict_of(const SampledAnswer& answer, const std::string& metric) {
  for (const auto& [name, value] : answer.metrics) {
    if (name != metric) continue;
    if (value.is_bool()) return value.as_bool();
    if (value.is_number() && (value.as_number() == 0 || value.as_number() == 1))
      return value.as_number() == 1;
  }
  return std::nullopt;
}

/// True if each answer of the filter that has the metric is right or wrong by it.
bool judges_all(Answers answers, const Judge& judge) {
  return std::ranges::all_of(answers, [&](const SampledAnswer& answer) {
    return answer.filter != judge.filter || answer.metrics.empty() ||
           verdict_of(answer, judge.metric);
  });
}

/// In the order of the samples; the first filter without a metric if there is none.
Judge find_judge(Answers first, Answers second) {
  for (const SampledAnswer& answer : first)
    for (const auto& [metric, value] : answer.metrics) {
      const Judge judge{answer.filter, metric};
      if (!is_diagnostic(metric) && judges_all(first, judge) && judges_all(second, judge))
        return judge;
    }
  return {first.empty() ? "" : first.front().filter, ""};
}

std::map<std::int64_t, const SampledAnswer*> by_document(Answers answers,
                                                         const std::string& filter) {
  std::map<std::int64_t, const SampledAnswer*> found;
  for (const SampledAnswer& answer : answers)
    if (answer.filter == filter) found.emplace(answer.doc_id, &answer);
  return found;
}

base::Status check_same(const std::string& task, const SampledAnswer& first,
                        const SampledAnswer& second) {
  const bool document = first.document_hash == second.document_hash;
  if (document && first.prompt_hash == second.prompt_hash) return {};
  return base::input_error(
      fmt::format("task {}: document {} has another {} in the second run; wanted runs of the same "
                  "questions: the same data, examples, template and limits",
                  task, first.doc_id, document ? "prompt" : "text"));
}

std::optional<Change> change_of(const SampledAnswer& first, const SampledAnswer& second,
                                const std::string& metric) {
  const auto was = verdict_of(first, metric), is = verdict_of(second, metric);
  if (was && is && *was != *is) return *was ? Change::lost : Change::won;
  if (first.chosen != second.chosen)
    return was && is && !*was ? Change::other_wrong : Change::other;
  if (first.generated && first.outputs != second.outputs) return Change::output;
  return std::nullopt;
}

/// What the item adds to the task's counts.
void count(const SampledAnswer& first, const SampledAnswer& second, TaskFlips& task) {
  ++task.items;
  const bool changed = first.outputs != second.outputs;
  (first.generated ? task.texts : task.scores) += 1;
  (first.generated ? task.texts_changed : task.scores_changed) += changed ? 1 : 0;
  const auto change = change_of(first, second, task.metric);
  if (!change) return;
  task.answers_changed += *change == Change::output ? 0 : 1;
  task.wrong_to_other += *change == Change::other_wrong ? 1 : 0;
  task.flips.push_back({first.doc_id, *change, first.prompt, first.target, first.chosen,
                        second.chosen, first.outputs, second.outputs});
}

std::optional<double> share(std::size_t right, const stats::PairedCounts& verdicts) {
  if (verdicts.total() == 0) return std::nullopt;
  return static_cast<double>(right) / static_cast<double>(verdicts.total());
}

}  // namespace

std::string_view change_name(Change change) {
  switch (change) {
    case Change::lost:
      return "right to wrong";
    case Change::won:
      return "wrong to right";
    case Change::other_wrong:
      return "wrong to other wrong";
    case Change::other:
      return "other answer";
    case Change::output:
      break;
  }
  return "other text";
}

std::optional<double> TaskFlips::first_accuracy() const {
  return share(verdicts.both_right + verdicts.only_first, verdicts);
}

std::optional<double> TaskFlips::second_accuracy() const {
  return share(verdicts.both_right + verdicts.only_second, verdicts);
}

std::optional<double> TaskFlips::movement() const {
  return stats::divergence(verdicts);
}

base::Result<TaskFlips> compare_answers(const std::string& task, Answers first, Answers second) {
  const Judge judge = find_judge(first, second);
  TaskFlips found;
  found.task = task;
  found.metric = judge.metric;
  found.filter = judge.filter;
  const auto before = by_document(first, judge.filter), after = by_document(second, judge.filter);
  std::vector<stats::Verdicts> verdicts;
  for (const auto& [document, answer] : before) {
    const auto other = after.find(document);
    if (other == after.end()) continue;
    TARE_CHECK(check_same(task, *answer, *other->second));
    count(*answer, *other->second, found);
    const auto was = verdict_of(*answer, judge.metric),
               is = verdict_of(*other->second, judge.metric);
    if (was && is) verdicts.push_back({*was, *is});
  }
  found.missing = before.size() + after.size() - 2 * found.items;
  found.verdicts = stats::count_pairs(verdicts);
  found.p = found.adjusted = stats::mcnemar_exact(found.verdicts);
  return found;
}

void adjust(std::span<TaskFlips> tasks) {
  std::vector<double> p;
  for (const TaskFlips& task : tasks)
    p.push_back(task.verdicts.total() > 0 ? task.p : std::nan(""));
  const std::vector<double> adjusted = stats::holm(p);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    tasks[i].adjusted = std::isnan(adjusted[i]) ? 1 : adjusted[i];
}

std::optional<double> greatest_movement(std::span<const TaskFlips> tasks) {
  std::optional<double> greatest;
  for (const TaskFlips& task : tasks)
    if (const auto movement = task.movement())
      greatest = std::max(greatest.value_or(0), std::abs(*movement));
  return greatest;
}

TaskFlips together(std::span<const TaskFlips> tasks) {
  TaskFlips all;
  all.task = "all";
  for (const TaskFlips& task : tasks) {
    all.items += task.items;
    all.missing += task.missing;
    all.verdicts.both_right += task.verdicts.both_right;
    all.verdicts.only_first += task.verdicts.only_first;
    all.verdicts.only_second += task.verdicts.only_second;
    all.verdicts.both_wrong += task.verdicts.both_wrong;
    all.answers_changed += task.answers_changed;
    all.wrong_to_other += task.wrong_to_other;
    all.texts += task.texts;
    all.texts_changed += task.texts_changed;
    all.scores += task.scores;
    all.scores_changed += task.scores_changed;
  }
  all.p = all.adjusted = stats::mcnemar_exact(all.verdicts);
  return all;
}

}  // namespace tare::study
