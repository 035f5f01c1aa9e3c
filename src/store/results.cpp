#include "store/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/hash.h"
#include "base/json.h"
#include "base/python.h"
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

std::size_t scored_documents(const TaskRecord& task) {
  return task.score.documents.size() - task.score.failed_documents;
}

Value result_row(const TaskRecord& record) {
  const core::BuiltTask& task = record.task;
  Dict row;
  row.set(lm_eval::kName, task.name);
  row.set(lm_eval::kAlias, task.alias.empty() ? task.name : task.alias);
  row.set(lm_eval::kSampleLen, scored_documents(record));
  for (const core::Estimate& estimate : record.score.estimates) {
    row.set(fmt::format("{},{}", estimate.metric, estimate.filter), estimate.value);
    row.set(fmt::format("{}{},{}", estimate.metric, lm_eval::kStderrSuffix, estimate.filter),
            estimate.standard_error ? Value(*estimate.standard_error) : lm_eval::kNoStderr);
  }
  return row;
}

Value higher_is_better(const TaskRecord& record) {
  Dict directions;
  for (const core::MetricSpec& metric : record.task.metrics)
    directions.set(metric.name, metric.higher_is_better);
  return directions;
}

Value sample_counts(const TaskRecord& record) {
  Dict counts;
  counts.set(lm_eval::kOriginal, record.task.total_documents);
  counts.set(lm_eval::kEffective, scored_documents(record));
  return counts;
}

using OfTask = std::function<Value(const TaskRecord&)>;

Value in_run_order(const RunRecord& run, const OfTask& value) {
  Dict dict;
  for (const TaskRecord& task : run.tasks) dict.set(task.task.name, value(task));
  return dict;
}

Value sorted_by_name(const RunRecord& run, const OfTask& value) {
  std::map<std::string, Value> sorted;
  for (const TaskRecord& task : run.tasks) sorted[task.task.name] = value(task);
  Dict dict;
  for (auto& [name, entry] : sorted) dict.set(name, entry);
  return dict;
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
  config.set(lm_eval::kGenKwargs, Dict());
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
  results.set(lm_eval::kResults, in_run_order(run, result_row));
  results.set(lm_eval::kGroupSubtasks, Dict());
  results.set(lm_eval::kConfigs,
              sorted_by_name(run, [](const TaskRecord& task) { return task.task.config; }));
  results.set(lm_eval::kVersions,
              sorted_by_name(run, [](const TaskRecord& task) { return task.task.version; }));
  results.set(lm_eval::kNShot,
              sorted_by_name(run, [](const TaskRecord& task) { return task.task.num_fewshot; }));
  results.set(lm_eval::kHigherIsBetter, sorted_by_name(run, higher_is_better));
  results.set(lm_eval::kNSamples, in_run_order(run, sample_counts));
}

void add_circumstances(Dict& results, const RunRecord& run) {
  results.set(lm_eval::kConfig, run_config(run));
  results.set(lm_eval::kGitHash, Value());
  results.set(lm_eval::kDate, run.started);
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
  results.set(lm_eval::kFewshotAsMultiturn, Value());
  set_with_hash(results, lm_eval::kChatTemplate, lm_eval::kChatTemplateSha, Value());
  results.set(lm_eval::kTotalSeconds, base::python::repr(run.timings.total));
}

}  // namespace

std::string results_json(const core::RunRecord& run) {
  Dict results;
  add_scores(results, run);
  add_circumstances(results, run);
  results.set(fields::kTare, run_block(run));
  base::json::Style indented;
  indented.indent = 2;
  return base::json::dump(Value(std::move(results)), indented);
}

}  // namespace tare::store
