#include "compare/pairing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compare/unlike.h"

namespace tare::compare {
namespace {

using base::Result;
using base::Value;
using core::Estimate;
using core::TaskRecord;
using store::SampledAnswer;
using Answers = std::vector<SampledAnswer>;

using MetricName = std::pair<std::string, std::string>;  ///< filter and metric

const Estimate* find_estimate(const TaskRecord& task, const MetricName& name) {
  const auto found = std::ranges::find_if(task.score.estimates, [&](const Estimate& estimate) {
    return estimate.filter == name.first && estimate.metric == name.second;
  });
  return found == task.score.estimates.end() ? nullptr : &*found;
}

std::string filter_text(const MetricName& name) {
  return name.first == "none" ? name.second : fmt::format("{},{}", name.second, name.first);
}

bool chosen(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
}

bool chosen(const std::vector<std::string>& wanted, const MetricName& name) {
  return chosen(wanted, name.second) ||
         chosen(wanted, fmt::format("{},{}", name.second, name.first));
}

/// The metrics that both have.
std::vector<MetricName> common_metrics(const TaskPair& task, const Chosen& choice,
                                       PairedRuns& paired) {
  std::vector<MetricName> names;
  const auto alone = [&](const MetricName& name, const Side& side) {
    if (chosen(choice.metrics, name))
      add(paired, Mismatch::metrics, task.name(),
          fmt::format("metric {} is in {} alone", filter_text(name), side.letter));
  };
  for (const Estimate& estimate : task.before.score.estimates) {
    const MetricName name{estimate.filter, estimate.metric};
    const Estimate* other = find_estimate(task.after, name);
    if (other == nullptr) {
      alone(name, task.first);
      continue;
    }
    if (!chosen(choice.metrics, name)) continue;
    names.push_back(name);
    if (estimate.higher_is_better == other->higher_is_better) continue;
    const auto better = [](bool higher) { return higher ? "higher" : "lower"; };
    add(paired, Mismatch::metrics, task.name(),
        in_both(task, fmt::format("{} is better if it is", filter_text(name)),
                better(estimate.higher_is_better), better(other->higher_is_better)));
  }
  for (const Estimate& estimate : task.after.score.estimates)
    if (const MetricName name{estimate.filter, estimate.metric};
        find_estimate(task.before, name) == nullptr)
      alone(name, task.second);
  return names;
}

Value value_of(const SampledAnswer& answer, const std::string& metric) {
  const auto found = std::ranges::find_if(answer.metrics,
                                          [&](const auto& entry) { return entry.first == metric; });
  return found == answer.metrics.end() ? Value() : found->second;
}

std::vector<Value> all_values(const Answers& answers, const MetricName& name) {
  std::vector<Value> values;
  for (const SampledAnswer& answer : answers)
    if (answer.filter == name.first)
      if (Value value = value_of(answer, name.second); !value.is_none())
        values.push_back(std::move(value));
  return values;
}

std::optional<double> reported(const TaskRecord& task, const MetricName& name) {
  const Estimate* estimate = find_estimate(task, name);
  return estimate == nullptr ? std::nullopt : std::optional(estimate->value);
}

std::string reason_of(const Match& match, const MetricName& name) {
  for (const SampledAnswer* answer : {match.first, match.second})
    if (value_of(*answer, name.second).is_none())
      return answer->failure.empty() ? "no score" : answer->failure;
  return "";
}

Series series_of(const TaskPair& task, const MetricName& name, const Lines& lines) {
  Series series;
  series.task = task.name();
  series.filter = name.first;
  series.metric = name.second;
  series.higher_is_better = find_estimate(task.before, name)->higher_is_better;
  series.reported_first = reported(task.before, name);
  series.reported_second = reported(task.after, name);
  series.all_first = all_values(lines.first, name);
  series.all_second = all_values(lines.second, name);
  std::map<std::string, std::size_t> failures;
  for (const Match& match : match_documents(lines.first, lines.second, name.first)) {
    if (match.first == nullptr || match.second == nullptr) continue;
    series.pairs.push_back({match.first->doc_id, value_of(*match.first, name.second),
                            value_of(*match.second, name.second),
                            match.first->chosen != match.second->chosen});
    if (const std::string reason = reason_of(match, name); !reason.empty()) ++failures[reason];
  }
  series.failures.assign(failures.begin(), failures.end());
  return series;
}

bool same_question(const SampledAnswer& one, const SampledAnswer& other) {
  return one.document_hash == other.document_hash && one.prompt_hash == other.prompt_hash &&
         one.target_hash == other.target_hash;
}

Result<Answers> read_side(const Side& side, const std::string& task) {
  TARE_TRY(auto answers, store::read_scored_answers(side.run.files, task));
  std::set<std::pair<std::string, std::int64_t>> seen;
  std::map<std::int64_t, const SampledAnswer*> documents;
  const auto fault = [&](const SampledAnswer& answer, const char* text) {
    return base::input_error(fmt::format("{}: document {} {}; wanted the samples of one run",
                                         side.run.files.samples(task).string(), answer.doc_id,
                                         text));
  };
  for (const SampledAnswer& answer : answers) {
    if (answer.document_hash.empty() || answer.prompt_hash.empty())
      return fault(answer, "has no doc_hash or prompt_hash (lm-eval writes them since 0.4.3)");
    if (!seen.emplace(answer.filter, answer.doc_id).second) return fault(answer, "stands twice");
    if (!same_question(*documents.try_emplace(answer.doc_id, &answer).first->second, answer))
      return fault(answer, "has other hashes in the lines of another filter");
  }
  return answers;
}

/// Documents that some filter left without a score.
std::set<std::int64_t> failed_in(const Answers& answers) {
  std::set<std::int64_t> failed;
  for (const SampledAnswer& answer : answers)
    if (answer.metrics.empty()) failed.insert(answer.doc_id);
  return failed;
}

void count_documents(const std::vector<Match>& matches, const Lines& lines, PairedRuns& paired) {
  const auto first = failed_in(lines.first), second = failed_in(lines.second);
  for (const Match& match : matches) {
    if (match.first == nullptr || match.second == nullptr) continue;
    ++paired.items;
    if (first.contains(match.first->doc_id) || second.contains(match.second->doc_id))
      ++paired.failed;
  }
}

std::set<std::string> filters_of(const Answers& answers) {
  std::set<std::string> filters;
  for (const SampledAnswer& answer : answers) filters.insert(answer.filter);
  return filters;
}

/// Answers of a filter that one run alone has, and of which no metric tells that.
void note_filters(const TaskPair& task, const Lines& lines, PairedRuns& paired) {
  const auto first = filters_of(lines.first), second = filters_of(lines.second);
  const auto scored = [&](const std::string& filter) {
    const auto has = [&](const TaskRecord& side) {
      return std::ranges::count(side.score.estimates, filter, &Estimate::filter) > 0;
    };
    return has(task.before) || has(task.after);
  };
  const auto note = [&](const std::set<std::string>& some, const std::set<std::string>& others,
                        const Side& side) {
    for (const std::string& filter : some)
      if (!others.contains(filter) && !scored(filter))
        add(paired, Mismatch::metrics, task.name(),
            fmt::format("answers of filter {} are in {} alone", filter, side.letter));
  };
  if (first.empty() || second.empty()) return;
  note(first, second, task.first);
  note(second, first, task.second);
}

base::Status pair_task(const TaskPair& task, const Chosen& choice, PairedRuns& paired) {
  TARE_TRY(Answers first, read_side(task.first, task.name()));
  TARE_TRY(Answers second, read_side(task.second, task.name()));
  const Lines lines{std::move(first), std::move(second)};
  const std::vector<Match> matches = match_documents(lines.first, lines.second, std::nullopt);
  check_conditions(task, paired);
  TARE_CHECK(check_documents(task, matches, paired));
  TARE_CHECK(check_hashes(task, matches, paired));
  if (choice.metrics.empty()) note_filters(task, lines, paired);
  std::set<std::string> filters;
  for (const MetricName& name : common_metrics(task, choice, paired)) {
    if (filters.insert(name.first).second) check_filter(task, matches, lines, name.first, paired);
    paired.series.push_back(series_of(task, name, lines));
  }
  count_documents(matches, lines, paired);
  return {};
}

const TaskRecord* find_task(const Side& side, const std::string& name) {
  for (const TaskRecord& task : side.run.record.tasks)
    if (task.task.name == name) return &task;
  return nullptr;
}

void note_alone(const Side& side, const Side& other, const Chosen& choice, PairedRuns& paired) {
  for (const TaskRecord& task : side.run.record.tasks)
    if (chosen(choice.tasks, task.task.name) && find_task(other, task.task.name) == nullptr)
      add(paired, Mismatch::tasks, task.task.name, fmt::format("is in {} alone", side.letter));
}

}  // namespace

Result<PairedRuns> pair_runs(const Side& first, const Side& second, const Chosen& choice) {
  PairedRuns paired;
  note_alone(first, second, choice, paired);
  note_alone(second, first, choice, paired);
  for (const TaskRecord& task : first.run.record.tasks) {
    const TaskRecord* other = find_task(second, task.task.name);
    if (other == nullptr || !chosen(choice.tasks, task.task.name)) continue;
    TARE_CHECK(pair_task({first, second, task, *other}, choice, paired));
  }
  return paired;
}

}  // namespace tare::compare
