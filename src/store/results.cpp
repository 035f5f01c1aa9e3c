#include "store/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/json.h"
#include "store/fields.h"
#include "store/names.h"
#include "store/run_block.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Dict;
using base::List;
using base::Value;
using core::RunRecord;
using core::TaskRecord;

/// The largest number of documents that one of the task's metrics has.
std::size_t sample_length(const TaskRecord& task) {
  std::size_t longest = 0;
  for (const core::Estimate& estimate : task.score.estimates)
    longest = std::max(longest, estimate.documents);
  return longest;
}

void set_estimates(Dict& row, const std::vector<core::Estimate>& estimates) {
  for (const core::Estimate& estimate : estimates) {
    row.set(fmt::format("{},{}", estimate.metric, estimate.filter), estimate.value);
    row.set(fmt::format("{}{},{}", estimate.metric, lm_eval::kStderrSuffix, estimate.filter),
            estimate.standard_error ? Value(*estimate.standard_error) : lm_eval::kNoStderr);
  }
}

Value result_row(const TaskRecord& record) {
  const core::BuiltTask& task = record.task;
  Dict row;
  row.set(lm_eval::kName, task.name);
  row.set(lm_eval::kAlias, task.alias.empty() ? task.name : task.alias);
  row.set(lm_eval::kSampleLen, sample_length(record));
  set_estimates(row, record.score.estimates);
  return row;
}

Value group_row(const core::GroupRecord& group) {
  Dict row;
  row.set(lm_eval::kAlias, group.alias);
  row.set(lm_eval::kName, group.name);
  if (!group.aggregates) return row;
  row.set(lm_eval::kSampleLen, group.sample_length);
  set_estimates(row, group.estimates);
  Dict counts;
  for (const core::Estimate& estimate : group.estimates)
    counts.set(fmt::format("{},{}", estimate.metric, estimate.filter), estimate.documents);
  if (!counts.empty()) row.set(lm_eval::kSampleCount, std::move(counts));
  return row;
}

Dict higher_is_better(const TaskRecord& record) {
  Dict directions;
  for (const core::MetricSpec& metric : record.task.metrics)
    directions.set(metric.name, metric.higher_is_better);
  return directions;
}

Value sample_counts(const TaskRecord& record) {
  Dict counts;
  counts.set(lm_eval::kOriginal, record.task.total_documents);
  counts.set(lm_eval::kEffective, sample_length(record));
  return counts;
}

using OfTask = std::function<Value(const TaskRecord&)>;

Dict in_run_order(const RunRecord& run, const OfTask& value) {
  Dict dict;
  for (const TaskRecord& task : run.tasks) dict.set(task.task.name, value(task));
  return dict;
}

using ByName = std::map<std::string, Value>;

ByName of_tasks(const RunRecord& run, const OfTask& value) {
  ByName sorted;
  for (const TaskRecord& task : run.tasks) sorted[task.task.name] = value(task);
  return sorted;
}

Value as_dict(const ByName& sorted) {
  Dict dict;
  for (const auto& [name, entry] : sorted) dict.set(name, entry);
  return dict;
}

/// A group has a number of examples only where its members agree on it. As in lm-eval an outer
/// group is looked at before its inner ones, and so does not count them.
Value shots(const RunRecord& run) {
  ByName all = of_tasks(run, [](const TaskRecord& task) { return task.task.num_fewshot; });
  for (const core::GroupRecord& group : run.groups) {
    std::set<std::int64_t> found;
    for (const std::string& child : group.children)
      if (const auto known = all.find(child); known != all.end())
        found.insert(known->second.as_int());
    if (found.size() == 1) all[group.name] = *found.begin();
  }
  return as_dict(all);
}

/// A metric on whose direction a group's members differ has none there.
Value directions(const RunRecord& run) {
  ByName all = of_tasks(run, higher_is_better);
  for (const core::GroupRecord& group : run.groups) {
    Dict merged;
    for (const std::string& child : group.children) {
      const auto known = all.find(child);
      if (known == all.end()) continue;
      for (const auto& [metric, better] : known->second.as_dict()) {
        const Value* other = merged.find(metric);
        merged.set(metric, other == nullptr || *other == better ? better : Value());
      }
    }
    if (!merged.empty()) all[group.name] = std::move(merged);
  }
  return as_dict(all);
}

Value versions(const RunRecord& run) {
  ByName all = of_tasks(run, [](const TaskRecord& task) { return task.task.version; });
  for (const core::GroupRecord& group : run.groups) all[group.name] = group.version;
  return as_dict(all);
}

Value group_members(const RunRecord& run) {
  Dict members;
  for (const core::GroupRecord& group : run.groups)
    members.set(group.name, List(group.children.begin(), group.children.end()));
  return members;
}

/// "gguf" of "gguf:PATH", the kind of model in lm-eval's sense.
std::string model_kind(const RunRecord& run) {
  return run.model.substr(0, run.model.find(':'));
}

Value run_config(const RunRecord& run) {
  Dict config;
  config.set(lm_eval::kModel, model_kind(run));
  config.set(lm_eval::kModelArgs, run.model_arguments.is_dict() ? run.model_arguments : Dict());
  config.set(lm_eval::kBatchSize, "auto");
  config.set(lm_eval::kBatchSizes, List());
  config.set(lm_eval::kDevice, entry(run.settings, lm_eval::kDevice));
  config.set(lm_eval::kUseCache, Value());
  config.set(lm_eval::kLimit, entry(run.settings, lm_eval::kLimit));
  config.set(lm_eval::kBootstrapIters, core::kBootstrapIterations);
  const Value generation = entry(run.settings, lm_eval::kGenKwargs);
  config.set(lm_eval::kGenKwargs, generation.is_dict() ? generation : Dict());
  const Value seeds = entry(run.settings, fields::given::kSeed);
  std::size_t place = 0;
  for (const char* name : lm_eval::kSeeds) {
    const bool there = seeds.is_list() && place < seeds.items().size();
    config.set(name, there ? seeds.items()[place] : Value());
    ++place;
  }
  return config;
}

/// The value as it stands, under a key, and its hash under the key's companion.
void set_with_hash(Dict& dict, const char* key, const char* hash_key, const Value& value) {
  dict.set(key, value);
  dict.set(hash_key, value.is_string() ? Value(base::sha256_hex(value.as_string())) : Value());
}

void add_scores(Dict& results, const RunRecord& run) {
  Dict rows = in_run_order(run, result_row);
  Dict groups;
  // Inner before outer, as lm-eval walks them.
  for (auto group = run.groups.rbegin(); group != run.groups.rend(); ++group) {
    rows.set(group->name, group_row(*group));
    if (group->aggregates) groups.set(group->name, group_row(*group));
  }
  results.set(lm_eval::kResults, std::move(rows));
  if (!groups.empty()) results.set(lm_eval::kGroups, std::move(groups));
  results.set(lm_eval::kGroupSubtasks, group_members(run));
  results.set(lm_eval::kConfigs,
              as_dict(of_tasks(run, [](const TaskRecord& task) { return task.task.config; })));
  results.set(lm_eval::kVersions, versions(run));
  results.set(lm_eval::kNShot, shots(run));
  results.set(lm_eval::kHigherIsBetter, directions(run));
  results.set(lm_eval::kNSamples, in_run_order(run, sample_counts));
}

void add_settings(Dict& results, const RunRecord& run) {
  results.set(lm_eval::kConfig, run_config(run));
  results.set(lm_eval::kGitHash, Value());
  results.set(lm_eval::kPrettyEnvInfo, Value());
  results.set(lm_eval::kTransformersVersion, Value());
  results.set(lm_eval::kLmEvalVersion, lm_eval::kReferenceVersion);
  results.set(lm_eval::kUpperGitHash, Value());
  results.set(lm_eval::kMaxLength, run.context_length);
  results.set(lm_eval::kTaskHashes,
              in_run_order(run, [](const TaskRecord& task) { return task_hash(task.task); }));
  results.set(lm_eval::kModelSource, model_kind(run));
  results.set(lm_eval::kModelName, run.model_name);
  results.set(lm_eval::kModelNameSanitized, sanitized_model_name(run.model_name));
  set_with_hash(results, lm_eval::kSystemInstruction, lm_eval::kSystemInstructionSha,
                entry(run.settings, lm_eval::kSystemInstruction));
  results.set(lm_eval::kFewshotAsMultiturn, entry(run.settings, lm_eval::kFewshotAsMultiturn));
  set_with_hash(results, lm_eval::kChatTemplate, lm_eval::kChatTemplateSha, run.chat_template);
}

}  // namespace

std::string results_json(const core::RunRecord& run) {
  Dict results;
  add_scores(results, run);
  add_settings(results, run);
  results.set(fields::kTare, run_block(run));
  base::json::Style indented;
  indented.indent = 2;
  return base::json::dump(Value(std::move(results)), indented);
}

}  // namespace tare::store
