#include "store/execution.h"

#include "base/files.h"
#include "base/json.h"
#include "base/python.h"
#include "store/fields.h"
#include "store/run_block.h"

namespace tare::store {
namespace {

namespace field = fields::execution;
namespace lm_eval = fields::lm_eval;
using base::Dict;
using base::Value;

Value timings(const core::Timings& seconds) {
  Dict dict;
  dict.set(field::kLoadTasks, seconds.load_tasks);
  dict.set(field::kLoadModel, seconds.load_model);
  dict.set(field::kPlan, seconds.plan);
  dict.set(field::kProbe, seconds.probe);
  dict.set(field::kScore, seconds.score);
  dict.set(field::kTotal, seconds.total);
  dict.set(field::kToFirstResult, seconds.to_first_result);
  return dict;
}

Value answers(const core::AnswerCounts& counts) {
  Dict dict;
  dict.set(field::kAsked, counts.asked);
  dict.set(field::kJournal, counts.journal);
  dict.set(field::kCache, counts.cache);
  return dict;
}

Value tokens(const std::optional<core::ComputedTokens>& counts) {
  if (!counts) return {};
  Dict dict;
  dict.set(field::kComputed, counts->computed);
  dict.set(field::kPadding, counts->padding);
  return dict;
}

}  // namespace

std::string execution_json(const core::Execution& execution) {
  Dict dict;
  dict.set(fields::kSchemaVersion, fields::kExecutionVersion);
  dict.set(lm_eval::kDate, execution.started);
  dict.set(lm_eval::kStartTime, execution.started);
  dict.set(lm_eval::kEndTime, execution.ended);
  dict.set(lm_eval::kTotalSeconds, base::python::repr(execution.ended - execution.started));
  dict.set(field::kTimings, timings(execution.timings));
  dict.set(field::kAnswers, answers(execution.answers));
  dict.set(field::kTokens, tokens(execution.tokens));
  dict.set(field::kPeakMemory, execution.peak_memory);
  dict.set(field::kBackend, execution.backend);
  dict.set(field::kMachine, execution.machine);
  dict.set(field::kWarnings, warnings_value(execution.warnings));
  base::json::Style indented;
  indented.indent = 2;
  return base::json::dump(Value(std::move(dict)), indented);
}

base::Status write_execution(const core::Execution& execution,
                             const std::filesystem::path& folder) {
  return base::write_file(folder / fields::kExecutionFile, execution_json(execution));
}

bool holds_execution(const std::filesystem::path& folder) {
  std::error_code unknown;
  return std::filesystem::exists(folder / fields::kExecutionFile, unknown);
}

}  // namespace tare::store
