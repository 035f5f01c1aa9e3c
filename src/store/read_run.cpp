#include "store/read_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/json.h"
#include "store/fields.h"
#include "store/read_results.h"
#include "store/run_block.h"
#include "store/sample_lines.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Result;
using base::Value;

/// Keys of a task's YAML whose values change no prompt.
constexpr std::array<std::pair<const char*, const char*>, 4> kAnswering{{
    {"kind of request", lm_eval::kOutputType},
    {"filters", lm_eval::kFilterList},
    {"generation settings", lm_eval::kGenerationKwargs},
    {"repeats", lm_eval::kRepeats},
}};

/// Keys of results.json that are of all tasks.
constexpr std::array<std::pair<const char*, const char*>, 3> kAsking{{
    {"SHA-256 of the chat template", lm_eval::kChatTemplateSha},
    {"system instruction", lm_eval::kSystemInstruction},
    {"few-shot examples as turns", lm_eval::kFewshotAsMultiturn},
}};

/// Names and arguments alone: of an aggregation that is a function the two programs tell otherwise.
Value metrics_of_config(const Value& list) {
  if (!list.is_list()) return {};
  base::List metrics;
  for (const Value& metric : list.items()) {
    if (!metric.is_dict()) continue;
    base::Dict kept;
    for (const auto& [key, value] : metric.as_dict())
      if (!(key == Value(lm_eval::kAggregation)) && !(key == Value(lm_eval::kHigherIsBetter)))
        kept.set(key, value);
    metrics.emplace_back(std::move(kept));
  }
  return metrics;
}

TaskConditions conditions_of(const Value& root, const std::string& task) {
  const auto of_task = [&](const char* part) { return entry(entry(root, part), task.c_str()); };
  const Value config = of_task(lm_eval::kConfigs);
  TaskConditions conditions;
  for (const auto& [name, key] : kAnswering)
    conditions.answering.emplace_back(name, entry(config, key));
  conditions.answering.emplace_back("metrics",
                                    metrics_of_config(entry(config, lm_eval::kMetricList)));
  conditions.asking.emplace_back("few-shot examples", of_task(lm_eval::kNShot));
  conditions.asking.emplace_back("documents of the split",
                                 entry(of_task(lm_eval::kNSamples), lm_eval::kOriginal));
  return conditions;
}

std::optional<std::size_t> count_at(const Value& dict, const char* key) {
  const Value found = entry(dict, key);
  if (!found.is_int() || found.as_int() < 0) return std::nullopt;
  return static_cast<std::size_t>(found.as_int());
}

CountedDocuments documents_of(const Value& root, const std::string& task) {
  const auto of_task = [&](const Value& part) { return entry(part, task.c_str()); };
  CountedDocuments documents;
  documents.scored = count_at(of_task(entry(root, lm_eval::kResults)), lm_eval::kSampleLen);
  const Value own = of_task(entry(entry(root, fields::kTare), fields::run::kTasks));
  const auto scored = count_at(own, fields::run::kScored),
             failed = count_at(own, fields::run::kFailed);
  if (scored && failed) {
    documents.least = documents.most = *scored + *failed;
    return documents;
  }
  documents.most = count_at(of_task(entry(root, lm_eval::kNSamples)), lm_eval::kEffective);
  documents.least = documents.scored ? documents.scored : documents.most;
  if (documents.least && documents.most)
    documents.least = std::min(*documents.least, *documents.most);
  return documents;
}

std::vector<Condition> asking_of(const Value& root) {
  std::vector<Condition> all;
  for (const auto& [name, key] : kAsking) all.emplace_back(name, entry(root, key));
  const Value config = entry(root, lm_eval::kConfig);
  all.emplace_back("limit", entry(config, lm_eval::kLimit));
  all.emplace_back("few-shot seed", entry(config, lm_eval::kSeeds[3]));
  return all;
}

std::string writer_of(const Value& root) {
  const Value block = entry(root, fields::kTare);
  if (!block.is_dict()) return "lm-eval " + text_of(entry(root, lm_eval::kLmEvalVersion));
  return "tare " + text_of(entry(entry(block, fields::run::kBuild), fields::given::kVersion));
}

std::string backend_of(const Value& root) {
  const Value backend = entry(entry(root, fields::kTare), fields::run::kBackend);
  const std::string name = text_of(entry(backend, fields::given::kName));
  const std::string version = text_of(entry(backend, fields::given::kVersion));
  return version.empty() ? name : fmt::format("{} {}", name, version);
}

}  // namespace

Result<FinishedRun> parse_run(const std::string& text, const RunFiles& files) {
  const auto root = base::json::parse(text);
  if (!root)
    return base::in_context(files.results.string(), {base::ErrorKind::input, root.error().text});
  FinishedRun run;
  run.files = files;
  TARE_TRY(run.record, results_of(*root, files.results));
  run.writer = writer_of(*root);
  run.backend = backend_of(*root);
  run.weights =
      text_of(entry(entry(entry(*root, fields::kTare), fields::run::kModel), fields::run::kSha256));
  for (const core::TaskRecord& task : run.record.tasks) {
    run.tasks[task.task.name] = conditions_of(*root, task.task.name);
    run.documents[task.task.name] = documents_of(*root, task.task.name);
  }
  run.asking = asking_of(*root);
  return run;
}

Result<FinishedRun> read_run(const RunFiles& files) {
  TARE_TRY(const std::string text, base::read_file(files.results));
  return parse_run(text, files);
}

}  // namespace tare::store
