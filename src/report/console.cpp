#include "report/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "base/python.h"
#include "report/markdown_table.h"

namespace tare::report {
namespace {

using base::Value;
using Row = base::List;

/// Python's format(x, ".4f").
std::string four_decimals(double number) {
  if (std::isnan(number)) return "nan";
  return fmt::format("{:.4f}", number);
}

std::string standard_error(const core::Estimate& estimate) {
  return estimate.standard_error ? four_decimals(*estimate.standard_error) : "   N/A";
}

Row estimate_row(const core::BuiltTask& task, const core::Estimate& estimate, bool first) {
  const std::string& name = task.alias.empty() ? task.name : task.alias;
  return {first ? name : "",
          first ? task.version : "",
          estimate.filter,
          task.num_fewshot,
          estimate.metric,
          estimate.higher_is_better ? "↑" : "↓",
          four_decimals(estimate.value),
          "±",
          standard_error(estimate)};
}

void add_rows(const core::TaskRecord& record, std::vector<Row>& rows) {
  std::vector<core::Estimate> estimates = record.score.estimates;
  std::sort(estimates.begin(), estimates.end(), [](const auto& a, const auto& b) {
    return a.metric + "," + a.filter < b.metric + "," + b.filter;
  });
  for (const core::Estimate& estimate : estimates)
    rows.push_back(estimate_row(record.task, estimate, &estimate == &estimates.front()));
}

std::string setting(const core::RunRecord& run, const char* name) {
  const Value* found = run.settings.find(name);
  return base::python::str(found != nullptr ? *found : Value());
}

std::string model_line(const core::RunRecord& run) {
  const std::string kind = run.model.substr(0, run.model.find(':'));
  const Value arguments = run.model_arguments.is_dict() ? run.model_arguments : base::Dict();
  return fmt::format("{} ({}), gen_kwargs: ({{}}), limit: {}, num_fewshot: {}, batch_size: auto\n",
                     kind, base::python::str(arguments), setting(run, "limit"),
                     setting(run, "num_fewshot"));
}

}  // namespace

std::string console_table(const core::RunRecord& run) {
  std::map<std::string, const core::TaskRecord*> by_name;
  for (const core::TaskRecord& task : run.tasks) by_name[task.task.name] = &task;
  std::vector<Row> rows;
  for (const auto& [name, task] : by_name) add_rows(*task, rows);
  const std::vector<std::string> headers = {"Tasks", "Version", "Filter", "n-shot", "Metric",
                                            "",      "Value",   "",       "Stderr"};
  return model_line(run) + markdown_table(headers, rows) + "\n";
}

}  // namespace tare::report
