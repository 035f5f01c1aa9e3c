#include "task/subtasks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/python.h"
#include "base/unicode.h"
#include "task/choose.h"
#include "task/compile.h"
#include "task/process_docs.h"

namespace tare::task {
namespace {

using base::Result;
using base::Value;
using core::Document;
using Names = std::vector<std::string>;

constexpr const char* kUnknown = "unknown";

std::string key_of(const Document& document, const std::string& column) {
  const Value* value = document.find(column);
  return value == nullptr ? "" : std::string(base::unicode::strip(base::python::str(*value)));
}

Names looked_up(const Benchmark& benchmark, const core::Split& rows,
                const std::vector<Document>& documents) {
  const std::string& key = benchmark.subtask_source->key;
  std::map<std::string, std::string> known;
  for (const Document& row : rows.rows) known[key_of(row, key)] = key_of(row, benchmark.subtask);
  Names names;
  for (const Document& document : documents) {
    const auto found = known.find(key_of(document, key));
    names.push_back(found == known.end() ? kUnknown : found->second);
  }
  return names;
}

}  // namespace

Result<Names> subtasks_of(const TaskConfig& config, const Benchmark& benchmark,
                          const core::Dataset& dataset, const std::vector<Document>& documents) {
  if (benchmark.subtask.empty()) return Names{};
  if (benchmark.subtask_source) {
    TARE_TRY(const core::Split* rows,
             find_split(config.task, dataset, "metadata.tare.subtask_source", kSubtaskSplit));
    return looked_up(benchmark, *rows, documents);
  }
  Names names;
  for (const Document& document : documents) {
    std::string name = key_of(document, benchmark.subtask);
    names.push_back(name.empty() ? kUnknown : std::move(name));
  }
  return names;
}

core::Coverage coverage_of(const Benchmark& benchmark, const Names& subtasks) {
  core::Coverage coverage;
  coverage.documents = benchmark.documents;
  for (const std::string& name : benchmark.subtasks)
    if (std::ranges::find(subtasks, name) == subtasks.end()) coverage.missing.push_back(name);
  return coverage;
}

std::vector<core::Warning> coverage_warnings(const core::BuiltTask& task) {
  const core::Coverage& coverage = task.coverage;
  const std::size_t whole = coverage.documents.value_or(task.total_documents);
  if (coverage.missing.empty() && whole == task.total_documents) return {};
  const std::string missing = coverage.missing.empty()
                                  ? ""
                                  : fmt::format("; it lacks {}", fmt::join(coverage.missing, ", "));
  return {{"partial-data",
           fmt::format("task {}: the data has {} documents, the benchmark {}{}; name that beside "
                       "its scores",
                       task.name, task.total_documents, whole, missing),
           1}};
}

Result<Names> document_subtasks(const TaskConfig& config, const core::Dataset& dataset,
                                const BuildOptions& options) {
  TARE_TRY(const Benchmark benchmark, benchmark_of(config));
  const EvalSplit named = eval_split(config);
  ProcessedSplits splits(config, dataset, options.functions);
  TARE_TRY(const auto* documents, splits.find(named.field, named.name, config.process_docs));
  return subtasks_of(config, benchmark, dataset, *documents);
}

}  // namespace tare::task
