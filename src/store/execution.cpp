#include "store/execution.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/json.h"
#include "base/python.h"
#include "store/fields.h"
#include "store/planned_budget.h"
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
  dict.set(fields::budget::kBudget, budget_value(execution.budget));
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

base::Result<std::optional<core::Budget>> read_budget(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / fields::kExecutionFile;
  if (!holds_execution(folder))
    return base::input_error(
        fmt::format("{}: has no {}, which says what a run took; wanted the folder of a run of tare",
                    folder.string(), fields::kExecutionFile));
  TARE_TRY(const std::string text, base::read_file(file));
  const auto document = base::json::parse(text);
  if (!document || !document->is_dict())
    return base::input_error(
        fmt::format("{}: is no JSON object; make it again: tare run with the same options and "
                    "--output {}",
                    file.string(), folder.string()));
  const Value* budget = document->find(fields::budget::kBudget);
  return budget == nullptr ? std::nullopt : budget_of(*budget);
}

bool holds_execution(const std::filesystem::path& folder) {
  std::error_code unknown;
  return std::filesystem::exists(folder / fields::kExecutionFile, unknown);
}

}  // namespace tare::store
