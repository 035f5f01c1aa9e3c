#include "store/run_block.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <variant>

#include "store/fields.h"
#include "store/invariance.h"

namespace tare::store {
namespace {

namespace field = fields::run;
using base::Dict;
using base::List;
using base::Value;
using core::RunRecord;

Value model(const RunRecord& run) {
  Dict dict;
  dict.set(field::kSpelling, run.model);
  dict.set(field::kName, run.model_name);
  dict.set(field::kPath, run.model_path);
  dict.set(field::kSha256, entry(run.backend, fields::given::kWeightsSha256));
  return dict;
}

/// Requests without an answer, counted by reason.
Value failures(const core::TaskRecord& record) {
  std::map<std::string, std::size_t> counts;
  for (const core::Response& response : record.responses)
    if (const auto* failure = std::get_if<core::RequestFailure>(&response.outcome))
      ++counts[failure->reason];
  Dict dict;
  for (const auto& [reason, count] : counts) dict.set(reason, count);
  return dict;
}

/// Of the whole benchmark, for tasks that tell what it is.
Value coverage(const core::BuiltTask& task) {
  if (!task.coverage.documents && task.coverage.missing.empty()) return {};
  Dict dict;
  dict.set(field::kDocuments, task.total_documents);
  dict.set(field::kBenchmarkDocuments,
           task.coverage.documents ? Value(*task.coverage.documents) : Value());
  dict.set(field::kMissing, List(task.coverage.missing.begin(), task.coverage.missing.end()));
  return dict;
}

/// Of the metrics that have an ideal.
Value metrics(const core::TaskScore& score) {
  Dict dict;
  for (const core::Estimate& estimate : score.estimates) {
    if (!estimate.calibrated) continue;
    Dict metric;
    metric.set(field::kDocuments, estimate.documents);
    metric.set(field::kCalibrated, *estimate.calibrated);
    dict.set(fmt::format("{},{}", estimate.metric, estimate.filter), std::move(metric));
  }
  return dict;
}

Value tasks(const RunRecord& run) {
  Dict dict;
  for (const core::TaskRecord& record : run.tasks) {
    Dict task;
    task.set(field::kScored, record.task.documents.size() - record.score.failed_documents);
    task.set(field::kFailed, record.score.failed_documents);
    task.set(field::kFailures, failures(record));
    if (Value whole = coverage(record.task); !whole.is_none())
      task.set(field::kCoverage, std::move(whole));
    if (Value found = metrics(record.score); found.truthy())
      task.set(field::kMetrics, std::move(found));
    task.set(field::kWarnings, warnings_value(record.score.warnings));
    task.set(field::kFiles, files_value(record.task.files));
    dict.set(record.task.name, std::move(task));
  }
  return dict;
}

Value tokens(const std::optional<core::TokenCounts>& counts) {
  if (!counts) return {};
  Dict dict;
  dict.set(field::kRequested, counts->requested);
  dict.set(field::kUnique, counts->unique);
  return dict;
}

}  // namespace

Value files_value(const std::vector<core::SourceFile>& sources) {
  List list;
  for (const core::SourceFile& source : sources) {
    Dict file;
    file.set(field::kPath, source.path);
    file.set(field::kSha256, source.sha256);
    if (!source.url.empty()) file.set(field::kUrl, source.url);
    if (!source.revision.empty()) file.set(field::kRevision, source.revision);
    list.emplace_back(std::move(file));
  }
  return list;
}

Value warnings_value(const std::vector<core::Warning>& all) {
  List list;
  for (const core::Warning& warning : all) {
    Dict entry;
    entry.set(field::kCode, warning.code);
    entry.set(field::kText, warning.text);
    entry.set(field::kCount, warning.count);
    list.emplace_back(std::move(entry));
  }
  return list;
}

Value entry(const Value& dict, const char* key) {
  const Value* found = dict.find(key);
  return found != nullptr ? *found : Value();
}

Value run_block(const RunRecord& run) {
  Dict block;
  block.set(fields::kSchemaVersion, fields::kResultsVersion);
  block.set(field::kBuild, run.build);
  block.set(field::kModel, model(run));
  block.set(field::kBackend, run.backend);
  block.set(field::kSettings, run.settings);
  if (!run.python.is_none()) block.set(field::kPython, run.python);
  block.set(field::kInvariance, invariance_value(run.invariance));
  block.set(field::kTasks, tasks(run));
  block.set(field::kWarnings, warnings_value(run.warnings));
  block.set(field::kTokens, tokens(run.tokens));
  return block;
}

}  // namespace tare::store
