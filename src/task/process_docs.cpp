#include "task/process_docs.h"

#include <fmt/format.h>

#include "base/python.h"
#include "task/choose.h"
#include "task/compile.h"
#include "task/field_table.h"
#include "task/function.h"

namespace tare::task {
namespace {

using base::Result;
using base::Value;
using core::Document;

Result<std::vector<Document>> documents_from(const Value& list, const std::string& where) {
  if (!list.is_sequence())
    return base::input_error(
        fmt::format("{}: gave {}, wanted a list of documents", where, describe_value(list)));
  for (const Value& document : list.items())
    if (!document.is_dict())
      return base::input_error(fmt::format("{}: gave {} in the list, wanted documents", where,
                                           describe_value(document)));
  return list.items();
}

}  // namespace

Result<const ProcessedSplits::Documents*> ProcessedSplits::find(const std::string& field,
                                                                const std::string& split,
                                                                const Value& process) {
  const auto function = resolved_function(process);
  const std::pair key(split, function ? function->name : "");
  if (const auto known = done_.find(key); known != done_.end()) return &known->second;
  TARE_TRY(const core::Split* rows, find_split(config_.task, dataset_, field, split));
  if (!function) return &(done_[key] = rows->rows);
  const std::string where = field_place(config_, "process_docs");
  const Value argument(rows->rows);
  auto processed = functions_->call(*function, core::FunctionUse::documents, {&argument, 1});
  if (!processed) return base::in_context(where, processed.error());
  TARE_TRY(done_[key], documents_from(*processed, where));
  return &done_[key];
}

const Value& fewshot_process_docs(const TaskConfig& config) {
  return config.fewshot.split ? config.fewshot.process_docs : config.process_docs;
}

std::vector<std::string> columns_of(const std::vector<Document>& documents,
                                    const core::Split& split) {
  if (documents.empty()) return split.columns;
  std::vector<std::string> columns;
  for (const auto& [key, value] : documents.front().as_dict())
    columns.push_back(base::python::str(key));
  return columns;
}

Result<core::Dataset> custom_dataset(const TaskConfig& config, core::Functions* functions) {
  const auto function = resolved_function(config.custom_dataset);
  const std::string where = field_place(config, "custom_dataset");
  base::Dict arguments = config.metadata.is_dict() ? config.metadata.as_dict() : base::Dict{};
  if (config.dataset_kwargs.is_dict())
    for (const auto& [key, value] : config.dataset_kwargs.as_dict()) arguments.set(key, value);
  const Value given(std::move(arguments));
  auto made = functions->call(*function, core::FunctionUse::custom_dataset, {&given, 1});
  if (!made) return base::in_context(where, made.error());
  if (!made->is_dict())
    return base::input_error(
        fmt::format("{}: gave {}, wanted splits by name", where, describe_value(*made)));
  core::Dataset dataset;
  for (const auto& [name, rows] : made->as_dict()) {
    core::Split split;
    TARE_TRY(split.rows, documents_from(rows, where));
    split.columns = columns_of(split.rows, split);
    dataset.splits[base::python::str(name)] = std::move(split);
  }
  return dataset;
}

}  // namespace tare::task
