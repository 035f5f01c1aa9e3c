#include "compare/pairing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/json.h"

namespace tare::compare {
namespace {

using base::Result;
using base::Value;
using core::Estimate;
using core::TaskRecord;
using store::Condition;
using store::SampledAnswer;
using Answers = std::vector<SampledAnswer>;

/// Two sides of one task.
struct TaskPair {
  const Side& first;
  const Side& second;
  const TaskRecord& before;
  const TaskRecord& after;

  [[nodiscard]] const std::string& name() const { return before.task.name; }
};

/// Of more bytes the place is shown where it differs.
constexpr std::size_t kLongValue = 80;

std::string value_text(const Value& value) {
  if (value.is_none()) return "none";
  return value.is_string() ? value.as_string() : base::json::dump(value);
}

std::string both(const Side& first, const Side& second, const std::string& subject,
                 const std::string& one, const std::string& other) {
  return fmt::format("{} {} in {}, {} in {}", subject, one, first.letter, other, second.letter);
}

/// What of two lists of the same settings is not equal.
std::vector<std::string> unlike(const TaskPair& task, const std::vector<Condition>& first,
                                const std::vector<Condition>& second) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
    if (!(first[i].second == second[i].second)) {
      auto values = std::pair(value_text(first[i].second), value_text(second[i].second));
      if (std::max(values.first.size(), values.second.size()) > kLongValue)
        values = parting(values.first, values.second);
      found.push_back(both(task.first, task.second, first[i].first, values.first, values.second));
    }
  return found;
}

void add(PairedRuns& paired, Mismatch mismatch, const std::string& task, std::string text,
         std::vector<std::string> causes = {}) {
  paired.differences.push_back({mismatch, task, std::move(text), std::move(causes)});
}

/// Settings that may be why prompts or documents differ.
std::vector<std::string> causes(const TaskPair& task) {
  const auto &first = task.first.run, &second = task.second.run;
  auto found =
      unlike(task, first.tasks.at(task.name()).asking, second.tasks.at(task.name()).asking);
  const auto general = unlike(task, first.asking, second.asking);
  found.insert(found.end(), general.begin(), general.end());
  return found;
}

void check_conditions(const TaskPair& task, PairedRuns& paired) {
  const Value &first = task.before.task.version, &second = task.after.task.version;
  if (!(first == second))
    add(paired, Mismatch::versions, task.name(),
        both(task.first, task.second, "task version", value_text(first), value_text(second)));
  for (std::string& text : unlike(task, task.first.run.tasks.at(task.name()).answering,
                                  task.second.run.tasks.at(task.name()).answering))
    add(paired, Mismatch::settings, task.name(), std::move(text));
}

void check_documents(const TaskPair& task, const std::vector<Match>& matches, PairedRuns& paired) {
  std::size_t alone_first = 0, alone_second = 0;
  const Match* example = nullptr;
  for (const Match& match : matches) {
    if (match.first != nullptr && match.second != nullptr) continue;
    (match.second == nullptr ? alone_first : alone_second) += 1;
    if (example == nullptr) example = &match;
  }
  if (example == nullptr) return;
  const SampledAnswer& answer = *(example->first != nullptr ? example->first : example->second);
  const Side& side = example->first != nullptr ? task.first : task.second;
  const std::size_t common = matches.size() - alone_first - alone_second;
  add(paired, Mismatch::items, task.name(),
      fmt::format("documents in both: {}, in {} alone: {}, in {} alone: {}, the first of them "
                  "document {} of {}",
                  common, task.first.letter, alone_first, task.second.letter, alone_second,
                  answer.doc_id, side.letter),
      causes(task));
}

Result<SampledAnswer> whole_answer(const Side& side, const std::string& task,
                                   std::int64_t document) {
  TARE_TRY(auto found, store::find_answer(side.run.files, task, document));
  if (found) return std::move(*found);
  return base::input_error(
      fmt::format("{}: document {} is gone", side.run.files.samples(task).string(), document));
}

/// Hashes that differ though the document is the same.
base::Status check_hashes(const TaskPair& task, const std::vector<Match>& matches, bool prompts,
                          PairedRuns& paired) {
  const auto hash = prompts ? &SampledAnswer::prompt_hash : &SampledAnswer::target_hash;
  const auto text = prompts ? &SampledAnswer::prompt : &SampledAnswer::target;
  std::size_t count = 0, common = 0;
  const Match* example = nullptr;
  for (const Match& match : matches) {
    if (match.first == nullptr || match.second == nullptr) continue;
    ++common;
    if (match.first->*hash == match.second->*hash) continue;
    if (count++ == 0) example = &match;
  }
  if (example == nullptr) return {};
  TARE_TRY(const auto first, whole_answer(task.first, task.name(), example->first->doc_id));
  TARE_TRY(const auto second, whole_answer(task.second, task.name(), example->second->doc_id));
  const auto [one, other] = parting(first.*text, second.*text);
  add(paired, prompts ? Mismatch::prompts : Mismatch::targets, task.name(),
      fmt::format(
          "{} of {} documents have another {}, the first of them document {}: {}", count, common,
          prompts ? "prompt" : "target", first.doc_id,
          fmt::format("{} in {}, {} in {}", one, task.first.letter, other, task.second.letter)),
      prompts ? causes(task) : std::vector<std::string>());
  return {};
}

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

/// The metrics that both have.
std::vector<MetricName> common_metrics(const TaskPair& task, const Chosen& choice,
                                       PairedRuns& paired) {
  std::vector<MetricName> names;
  const auto alone = [&](const MetricName& name, const Side& side) {
    if (chosen(choice.metrics, name.second))
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
    if (!chosen(choice.metrics, name.second)) continue;
    names.push_back(name);
    if (estimate.higher_is_better == other->higher_is_better) continue;
    const auto better = [](bool higher) { return higher ? "higher" : "lower"; };
    add(paired, Mismatch::metrics, task.name(),
        both(task.first, task.second, fmt::format("{} is better if it is", filter_text(name)),
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

Series series_of(const TaskPair& task, const MetricName& name, const Answers& first,
                 const Answers& second) {
  Series series;
  series.task = task.name();
  series.filter = name.first;
  series.metric = name.second;
  series.higher_is_better = find_estimate(task.before, name)->higher_is_better;
  series.reported_first = reported(task.before, name);
  series.reported_second = reported(task.after, name);
  series.all_first = all_values(first, name);
  series.all_second = all_values(second, name);
  std::map<std::string, std::size_t> failures;
  for (const Match& match : match_documents(first, second, name.first)) {
    if (match.first == nullptr || match.second == nullptr) continue;
    series.pairs.push_back({match.first->doc_id, value_of(*match.first, name.second),
                            value_of(*match.second, name.second),
                            match.first->chosen != match.second->chosen});
    if (const std::string reason = reason_of(match, name); !reason.empty()) ++failures[reason];
  }
  series.failures.assign(failures.begin(), failures.end());
  return series;
}

Result<Answers> read_side(const Side& side, const std::string& task) {
  TARE_TRY(auto answers, store::read_scored_answers(side.run.files, task));
  std::set<std::pair<std::string, std::int64_t>> seen;
  const auto fault = [&](const SampledAnswer& answer, const char* text) {
    return base::input_error(fmt::format("{}: document {} {}; wanted the samples of one run",
                                         side.run.files.samples(task).string(), answer.doc_id,
                                         text));
  };
  for (const SampledAnswer& answer : answers) {
    if (answer.document_hash.empty() || answer.prompt_hash.empty())
      return fault(answer, "has no doc_hash or prompt_hash (lm-eval writes them since 0.4.3)");
    if (!seen.emplace(answer.filter, answer.doc_id).second) return fault(answer, "stands twice");
  }
  return answers;
}

std::size_t failed_in(const std::vector<Match>& matches) {
  return static_cast<std::size_t>(std::ranges::count_if(matches, [](const Match& match) {
    return match.first != nullptr && match.second != nullptr &&
           (match.first->metrics.empty() || match.second->metrics.empty());
  }));
}

base::Status pair_task(const TaskPair& task, const Chosen& choice, PairedRuns& paired) {
  TARE_TRY(const Answers first, read_side(task.first, task.name()));
  TARE_TRY(const Answers second, read_side(task.second, task.name()));
  check_conditions(task, paired);
  const std::vector<Match> matches =
      match_documents(first, second, first.empty() ? "" : first.front().filter);
  check_documents(task, matches, paired);
  TARE_CHECK(check_hashes(task, matches, true, paired));
  TARE_CHECK(check_hashes(task, matches, false, paired));
  for (const MetricName& name : common_metrics(task, choice, paired))
    paired.series.push_back(series_of(task, name, first, second));
  paired.items += static_cast<std::size_t>(std::ranges::count_if(matches, [](const Match& match) {
    return match.first != nullptr && match.second != nullptr;
  }));
  paired.failed += failed_in(matches);
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
