#include "report/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
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

/// A task or a group as the table shows it.
struct Entry {
  std::string name, alias;
  Value version, shots;
  const std::vector<core::Estimate>* estimates = nullptr;
};

using Entries = std::map<std::string, Entry>;

Row estimate_row(const Entry& entry, const std::string& name, const core::Estimate& estimate,
                 bool first) {
  return {first ? name : "",
          first ? entry.version : "",
          estimate.filter,
          entry.shots,
          estimate.metric,
          estimate.higher_is_better ? "↑" : "↓",
          four_decimals(estimate.value),
          "±",
          standard_error(estimate)};
}

void add_rows(const Entry& entry, std::size_t depth, std::vector<Row>& rows) {
  std::vector<core::Estimate> estimates = *entry.estimates;
  std::sort(estimates.begin(), estimates.end(), [](const auto& a, const auto& b) {
    return a.metric + "," + a.filter < b.metric + "," + b.filter;
  });
  const std::string indent = depth > 0 ? std::string(depth, ' ') + "- " : "";
  for (const core::Estimate& estimate : estimates)
    rows.push_back(
        estimate_row(entry, indent + entry.alias, estimate, &estimate == &estimates.front()));
}

Entries task_entries(const core::RunRecord& run) {
  Entries entries;
  for (const core::TaskRecord& record : run.tasks) {
    const core::BuiltTask& task = record.task;
    entries[task.name] = {task.name, task.alias.empty() ? task.name : task.alias, task.version,
                          task.num_fewshot, &record.score.estimates};
  }
  return entries;
}

/// The number of examples that all members have; a blank where they differ.
Value common_shots(const core::GroupRecord& group, const Entries& entries) {
  Value common;
  for (const std::string& child : group.children) {
    const auto known = entries.find(child);
    if (known == entries.end() || known->second.shots == Value(" ")) continue;
    if (!common.is_none() && !(common == known->second.shots)) return " ";
    common = known->second.shots;
  }
  return common.is_none() ? Value(" ") : common;
}

/// Shows groups with their members below them, then the other tasks; each level sorted by name.
class Hierarchy {
 public:
  Hierarchy(const core::RunRecord& run, const Entries& entries) : entries_(entries) {
    for (const core::GroupRecord& group : run.groups) members_[group.name] = group.children;
  }

  std::vector<Row> rows() {
    for (const auto& [name, members] : members_)
      if (!is_member(name)) visit(name, 0);
    for (const auto& [name, entry] : entries_)
      if (!seen_.contains(name)) add_rows(entry, 0, rows_);
    return std::move(rows_);
  }

 private:
  [[nodiscard]] bool is_member(const std::string& name) const {
    return std::ranges::any_of(members_, [&](const auto& group) {
      return std::ranges::find(group.second, name) != group.second.end();
    });
  }

  void visit(const std::string& name, std::size_t depth) {
    seen_.insert(name);
    if (const auto entry = entries_.find(name); entry != entries_.end())
      add_rows(entry->second, depth, rows_);
    const auto group = members_.find(name);
    if (group == members_.end()) return;
    std::vector<std::string> children = group->second;
    std::ranges::sort(children);
    for (const std::string& child : children) visit(child, depth + 1);
  }

  const Entries& entries_;
  std::map<std::string, std::vector<std::string>> members_;
  std::set<std::string> seen_;
  std::vector<Row> rows_;
};

std::string table(const core::RunRecord& run, const Entries& entries, const char* first_column) {
  const std::vector<std::string> headers = {first_column, "Version", "Filter", "n-shot", "Metric",
                                            "",           "Value",   "",       "Stderr"};
  return markdown_table(headers, Hierarchy(run, entries).rows()) + "\n";
}

std::string setting(const core::RunRecord& run, const char* name) {
  const Value* found = run.settings.find(name);
  return base::python::str(found != nullptr ? *found : Value());
}

/// What lm-eval has no word for is told only where it is not the default.
std::string mode_text(const core::RunRecord& run) {
  const Value* mode = run.settings.find("generation_mode");
  if (mode == nullptr || !mode->is_string()) return "";
  return fmt::format(", generation_mode: {}", mode->as_string());
}

/// A dict's repr, as lm-eval prints it; "{}" without any.
std::string gen_kwargs_text(const core::RunRecord& run) {
  const Value* given = run.settings.find("gen_kwargs");
  return base::python::str(given != nullptr && given->is_dict() ? *given : Value(base::Dict()));
}

std::string model_line(const core::RunRecord& run) {
  const std::string kind = run.model.substr(0, run.model.find(':'));
  const Value arguments = run.model_arguments.is_dict() ? run.model_arguments : base::Dict();
  return fmt::format("{} ({}), gen_kwargs: ({}){}, limit: {}, num_fewshot: {}, batch_size: auto\n",
                     kind, base::python::str(arguments), gen_kwargs_text(run), mode_text(run),
                     setting(run, "limit"), setting(run, "num_fewshot"));
}

}  // namespace

std::string console_table(const core::RunRecord& run) {
  Entries all = task_entries(run);
  Entries aggregated;
  for (auto group = run.groups.rbegin(); group != run.groups.rend(); ++group) {
    const Entry entry{group->name, group->alias, group->version, common_shots(*group, all),
                      &group->estimates};
    all[group->name] = entry;
    if (group->aggregates) aggregated[group->name] = entry;
  }
  std::string text = model_line(run) + table(run, all, "Tasks");
  if (!aggregated.empty()) text += "\n" + table(run, aggregated, "Groups");
  return text;
}

}  // namespace tare::report
