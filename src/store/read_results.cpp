#include "store/read_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "store/fields.h"
#include "store/run_block.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Result;
using base::Value;

std::string text_or(const Value& value, const std::string& other) {
  return value.is_string() ? value.as_string() : other;
}

/// "acc,none" of a row, with its standard error and direction.
core::Estimate estimate(const std::string& key, const Value& row, const Value& directions) {
  const std::size_t comma = key.find(',');
  core::Estimate result;
  result.metric = key.substr(0, comma);
  result.filter = key.substr(comma + 1);
  result.value = row.find(key)->as_number();
  const std::string error =
      fmt::format("{}{},{}", result.metric, lm_eval::kStderrSuffix, result.filter);
  if (const Value* found = row.find(error); found != nullptr && found->is_number())
    result.standard_error = found->as_number();
  const Value higher = entry(directions, result.metric.c_str());
  result.higher_is_better = !higher.is_bool() || higher.as_bool();
  return result;
}

std::vector<core::Estimate> estimates(const Value& row, const Value& directions) {
  std::vector<core::Estimate> all;
  for (const auto& [key, value] : row.as_dict()) {
    const std::string& name = key.as_string();
    const std::size_t comma = name.find(',');
    const bool error = name.substr(0, comma).ends_with(lm_eval::kStderrSuffix);
    if (comma == std::string::npos || error || !value.is_number()) continue;
    all.push_back(estimate(name, row, directions));
  }
  return all;
}

/// The parts of results.json that are by name of a task or group.
struct Document {
  Value results, groups, members, versions, shots, directions;
};

core::TaskRecord task(const std::string& name, const Value& row, const Document& document) {
  core::TaskRecord record;
  record.task.name = name;
  record.task.alias = text_or(entry(row, lm_eval::kAlias), name);
  record.task.version = entry(document.versions, name.c_str());
  const Value shots = entry(document.shots, name.c_str());
  record.task.num_fewshot = shots.is_int() ? static_cast<std::size_t>(shots.as_int()) : 0;
  record.score.estimates = estimates(row, entry(document.directions, name.c_str()));
  return record;
}

core::GroupRecord group(const std::string& name, const Value& children, const Document& document) {
  const Value row = entry(document.results, name.c_str());
  core::GroupRecord record;
  record.name = name;
  record.alias = text_or(entry(row, lm_eval::kAlias), name);
  record.version = entry(document.versions, name.c_str());
  if (children.is_list())
    for (const Value& child : children.items()) record.children.push_back(text_or(child, ""));
  if (row.is_dict()) record.estimates = estimates(row, entry(document.directions, name.c_str()));
  record.aggregates = document.groups.find(name) != nullptr;
  return record;
}

/// "gguf:PATH", or lm-eval's name of the kind of model.
std::string model_of(const Value& root) {
  const Value model = entry(entry(root, fields::kTare), fields::run::kModel);
  return text_or(entry(model, fields::run::kSpelling),
                 text_or(entry(entry(root, lm_eval::kConfig), lm_eval::kModel), ""));
}

/// lm-eval lists tasks by themselves as groups without members.
bool is_group(const std::string& name, const Document& document) {
  const Value* members = document.members.find(name);
  return members != nullptr && members->is_list() && !members->items().empty();
}

core::RunRecord record_of(const Value& root, const Document& document) {
  core::RunRecord run;
  for (const auto& [name, row] : document.results.as_dict())
    if (row.is_dict() && !is_group(name.as_string(), document))
      run.tasks.push_back(task(name.as_string(), row, document));
  if (document.members.is_dict())
    for (const auto& [name, children] : document.members.as_dict())
      if (is_group(name.as_string(), document))
        run.groups.push_back(group(name.as_string(), children, document));
  const Value config = entry(root, lm_eval::kConfig);
  const Value settings = entry(entry(root, fields::kTare), fields::run::kSettings);
  run.model = model_of(root);
  run.model_name = text_or(entry(root, lm_eval::kModelName), "");
  run.model_arguments = entry(config, lm_eval::kModelArgs);
  run.backend = entry(entry(root, fields::kTare), fields::run::kBackend);
  run.settings = settings.is_dict() ? settings : config;
  return run;
}

}  // namespace

Result<core::RunRecord> read_results(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / fields::kResultsFile;
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    return base::input_error(
        fmt::format("{}: holds no {}; wanted the output folder of a finished run", folder.string(),
                    fields::kResultsFile));
  TARE_TRY(const std::string text, base::read_file(path));
  auto root = base::json::parse(text);
  if (!root) return base::in_context(path.string(), {base::ErrorKind::input, root.error().text});
  return results_of(*root, path);
}

Result<core::RunRecord> results_of(const Value& root, const std::filesystem::path& file) {
  const Document document{
      entry(root, lm_eval::kResults),       entry(root, lm_eval::kGroups),
      entry(root, lm_eval::kGroupSubtasks), entry(root, lm_eval::kVersions),
      entry(root, lm_eval::kNShot),         entry(root, lm_eval::kHigherIsBetter)};
  if (!document.results.is_dict())
    return base::input_error(fmt::format("{}: has no \"{}\"; wanted the results of tare or lm-eval",
                                         file.string(), lm_eval::kResults));
  return record_of(root, document);
}

}  // namespace tare::store
