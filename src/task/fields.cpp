#include "task/fields.h"

#include <algorithm>
#include <array>

#include "base/python.h"
#include "task/field_table.h"
#include "task/filters.h"
#include "task/function.h"
#include "task/generation.h"
#include "task/metrics.h"

namespace tare::task {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;
using namespace std::string_view_literals;

constexpr std::array<std::pair<std::string_view, core::OutputType>, 4> kOutputTypes{{
    {"loglikelihood", core::OutputType::loglikelihood},
    {"multiple_choice", core::OutputType::multiple_choice},
    {"loglikelihood_rolling", core::OutputType::loglikelihood_rolling},
    {"generate_until", core::OutputType::generate_until},
}};

std::string refuse_output_type(const Value& value) {
  std::vector<std::string> names;
  for (const auto& [name, type] : kOutputTypes) {
    if (value.as_string() == name) return "";
    names.emplace_back(name);
  }
  return base::join_or(names);
}

void set_output_type(TaskConfig& config, const Value& value) {
  for (const auto& [name, type] : kOutputTypes)
    if (value.as_string() == name) config.output_type = type;
}

std::string refuse_negative(const Value& value) {
  return value.is_int() && value.as_int() < 0 ? "0 or more" : "";
}

/// Answers to one prompt; more than that are a slip of the pen.
constexpr std::int64_t kMostRepeats = 100000;

std::string refuse_repeats(const Value& value) {
  const bool good = value.as_int() >= 1 && value.as_int() <= kMostRepeats;
  return good ? "" : fmt::format("1 to {}", kMostRepeats);
}

std::string refuse_sampler(const Value& value) {
  return value.as_string() == "default" || value.as_string() == "first_n" ? ""
                                                                          : "default or first_n";
}

void set_tags(TaskConfig& config, const Value& value) {
  config.tags.clear();
  const List single{value};
  for (const Value& tag : value.is_list() ? value.items() : single)
    if (tag.is_string()) config.tags.push_back(tag.as_string());
}

/// Anything that is no mapping is kept under the key that lm-eval gives it.
void set_metadata(TaskConfig& config, const Value& value) {
  if (value.is_dict() || value.is_none()) {
    config.metadata = value;
    return;
  }
  Dict wrapped;
  wrapped.set("_metadata", value);
  config.metadata = std::move(wrapped);
}

constexpr unsigned kTemplate = kText | kFunction | kNone;
constexpr unsigned kOptionalText = kText | kNone;

/// Every key of a task, in the order in which results list them.
const std::vector<FieldRow<TaskConfig>>& task_rows() {
  using T = TaskConfig;
  static const std::vector<FieldRow<T>> rows{
      {"task", kText, set_member<&T::task, T>, {}},
      {"task_alias", kOptionalText, set_member<&T::alias, T>, {}},
      {"tag", kOptionalText | kList, set_tags, {}},
      {"custom_dataset", kFunction | kNone, set_member<&T::custom_dataset, T>, {}},
      {"dataset_path", kText, set_member<&T::dataset_path, T>, {}},
      {"dataset_name", kOptionalText, set_member<&T::dataset_name, T>, {}},
      {"dataset_kwargs", kDict | kNone, set_member<&T::dataset_kwargs, T>, {}},
      {"training_split", kOptionalText, set_member<&T::training_split, T>, {}},
      {"validation_split", kOptionalText, set_member<&T::validation_split, T>, {}},
      {"test_split", kOptionalText, set_member<&T::test_split, T>, {}},
      {"fewshot_split", kOptionalText, set_member<&T::fewshot_split, T>, {}},
      {"process_docs", kFunction | kNone, set_member<&T::process_docs, T>, {}},
      {"doc_to_text", kTemplate | kInt, set_member<&T::doc_to_text, T>, {}},
      {"doc_to_target", kTemplate | kInt | kList, set_member<&T::doc_to_target, T>, {}},
      {"doc_to_image", kTemplate | kList, nullptr, {}},
      {"doc_to_audio", kTemplate | kList, nullptr, {}},
      {"unsafe_code", kBool, nullptr, false},
      {"doc_to_choice", kTemplate | kList | kDict, set_member<&T::doc_to_choice, T>, {}},
      {"process_results", kFunction | kNone, set_member<&T::process_results, T>, {}},
      {"use_prompt", kOptionalText, nullptr, {}},
      {"description", kTemplate, set_member<&T::description, T>, ""},
      {"target_delimiter", kText, set_member<&T::target_delimiter, T>, " "},
      {"fewshot_delimiter", kText, set_member<&T::fewshot_delimiter, T>, "\n\n"},
      {"fewshot_config", kDict | kNone, nullptr, {}},
      {"num_fewshot", kInt | kNone, set_member<&T::num_fewshot, T>, {}, refuse_negative},
      {"metric_list", kList | kNone, set_member<&T::metric_list, T>, {}, refuse_metric_list},
      {"output_type", kText, set_output_type, "generate_until", refuse_output_type},
      {"generation_kwargs", kDict | kNone, set_member<&T::generation_kwargs, T>, {}},
      {"repeats", kInt, set_member<&T::repeats, T>, 1, refuse_repeats},
      {"filter_list", kList | kNone, set_member<&T::filter_list, T>, {}, refuse_filter_list},
      {"should_decontaminate", kBool, nullptr, false},
      {"doc_to_decontamination_query", kTemplate, nullptr, {}},
      {"gen_prefix", kTemplate, set_member<&T::gen_prefix, T>, {}},
      {"metadata", kNone | kBool | kInt | kReal | kText | kList | kDict, set_metadata, {}},
  };
  return rows;
}

/// Every key of fewshot_config, in the order in which results list them.
const std::vector<FieldRow<FewshotConfig>>& fewshot_rows() {
  using F = FewshotConfig;
  static const std::vector<FieldRow<F>> rows{
      {"sampler", kText, set_member<&F::sampler, F>, "default", refuse_sampler},
      {"split", kOptionalText, set_member<&F::split, F>, {}},
      {"process_docs", kFunction | kNone, set_member<&F::process_docs, F>, {}},
      {"fewshot_indices", kList | kNone, nullptr, {}},
      {"samples", kList | kFunction | kNone, set_member<&F::samples, F>, {}},
      {"doc_to_text", kTemplate | kInt, set_member<&F::doc_to_text, F>, {}},
      {"doc_to_choice", kTemplate | kList | kDict, set_member<&F::doc_to_choice, F>, {}},
      {"doc_to_target", kTemplate | kInt | kList, set_member<&F::doc_to_target, F>, {}},
      {"gen_prefix", kTemplate, set_member<&F::gen_prefix, F>, {}},
      {"fewshot_delimiter", kText, set_member<&F::fewshot_delimiter, F>, "\n\n"},
      {"target_delimiter", kText, set_member<&F::target_delimiter, F>, " "},
  };
  return rows;
}

/// A key of fewshot_config and the task's key that it takes its value from when absent.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kInherited{{
    {"split", "fewshot_split"},
    {"process_docs", "process_docs"},
    {"doc_to_text", "doc_to_text"},
    {"doc_to_choice", "doc_to_choice"},
    {"doc_to_target", "doc_to_target"},
    {"gen_prefix", "gen_prefix"},
    {"fewshot_delimiter", "fewshot_delimiter"},
    {"target_delimiter", "target_delimiter"},
}};

std::string place(const Origins& origins, std::string_view key, const std::filesystem::path& file) {
  const auto origin = origins.find(key);
  if (origin == origins.end()) return file.string();
  return fmt::format("{}:{}", origin->second.file.string(), origin->second.line);
}

/// Keys that shape the index and mean nothing inside a task.
bool structural(std::string_view key) {
  return key == "task_list";
}

base::Status set_task_fields(const MergedYaml& merged, TaskConfig& config) {
  const std::span<const FieldRow<TaskConfig>> rows = task_rows();
  for (const auto& [key, value] : merged.values) {
    const std::string name = base::python::str(key);
    if (structural(name)) continue;
    const std::string where = place(merged.origins, name, config.file);
    const FieldRow<TaskConfig>* row = find_row(rows, name);
    if (row == nullptr)
      return base::input_error(fmt::format("{}: {}", where, unknown_key(rows, name)));
    if (std::string problem = mismatch(*row, value); !problem.empty())
      return base::input_error(fmt::format("{}: {}: {}", where, name, problem));
    if (row->set != nullptr) row->set(config, value);
  }
  return {};
}

/// fewshot_config as written over what it inherits: a dict with all keys, in table order.
Dict expanded_fewshot(const Dict& written, const Dict& task) {
  Dict expanded;
  for (const FieldRow<FewshotConfig>& row : fewshot_rows()) {
    expanded.set(row.name, row.by_default);
    const auto from =
        std::ranges::find(kInherited, row.name, &decltype(kInherited)::value_type::first);
    if (from == kInherited.end()) continue;
    if (const Value* inherited = task.find(from->second)) expanded.set(row.name, *inherited);
  }
  for (const auto& [key, value] : written) expanded.set(key, value);
  return expanded;
}

base::Status set_fewshot_fields(const MergedYaml& merged, TaskConfig& config) {
  const std::span<const FieldRow<FewshotConfig>> rows = fewshot_rows();
  const Value* given = merged.values.find("fewshot_config"sv);
  const Dict written = given != nullptr && given->is_dict() ? given->as_dict() : Dict{};
  const std::string where =
      place(merged.origins, "fewshot_config", config.file) + ": fewshot_config";
  for (const auto& [key, value] : written) {
    const std::string name = base::python::str(key);
    const FieldRow<FewshotConfig>* row = find_row(rows, name);
    if (row == nullptr)
      return base::input_error(fmt::format("{}: {}", where, unknown_key(rows, name)));
    if (std::string problem = mismatch(*row, value); !problem.empty())
      return base::input_error(fmt::format("{}.{}: {}", where, name, problem));
  }
  const Dict expanded = expanded_fewshot(written, merged.values);
  for (const FieldRow<FewshotConfig>& row : rows)
    if (row.set != nullptr) row.set(config.fewshot, *expanded.find(row.name));
  config.fewshot_config = expanded;
  return {};
}

Value effective_metadata(const TaskConfig& config, const Value& extra) {
  Dict metadata = config.metadata.is_dict() ? config.metadata.as_dict() : Dict{};
  if (extra.is_dict())
    for (const auto& [key, value] : extra.as_dict()) metadata.set(key, value);
  metadata.set("config_source", config.file.string());
  return metadata;
}

/// datasets ≥ 4 takes no trust_remote_code; lm-eval drops it before it writes the result.
Value effective_dataset_kwargs(const TaskConfig& config) {
  if (!config.dataset_kwargs.is_dict()) return config.dataset_kwargs;
  Dict kwargs = config.dataset_kwargs.as_dict();
  kwargs.erase("trust_remote_code");
  return kwargs;
}

}  // namespace

Result<TaskConfig> typed_config(const MergedYaml& merged, const std::filesystem::path& file) {
  TaskConfig config;
  config.file = file;
  config.merged = merged.values;
  config.origins = merged.origins;
  config.files = merged.files;
  config.repeated = merged.repeated;
  if (merged.values.find("class"sv) != nullptr)
    return base::input_error(fmt::format(
        "{}: class: the task is written in Python, which this build does not run; choose a task "
        "written in YAML",
        place(merged.origins, "class", file)));
  if (merged.values.find("group"sv) != nullptr)
    return base::input_error(fmt::format("{}: group: the file defines a group, wanted a task",
                                         place(merged.origins, "group", file)));
  if (merged.values.find("task"sv) == nullptr)
    return base::input_error(fmt::format("{}: no key 'task': a task needs a name", file.string()));
  TARE_CHECK(set_task_fields(merged, config));
  TARE_CHECK(set_fewshot_fields(merged, config));
  config.generation_kwargs = generation_arguments(config);
  return config;
}

Value config_block(const TaskConfig& config, std::size_t num_fewshot, const BuildOptions& options) {
  Dict effective;
  effective.set("tag", nullptr);
  effective.set("dataset_kwargs", effective_dataset_kwargs(config));
  effective.set("fewshot_config", config.fewshot_config);
  effective.set("num_fewshot", num_fewshot);
  effective.set("generation_kwargs", arguments_in_force(config, options));
  effective.set("repeats", repeats_in_force(config, options));
  effective.set("metadata", effective_metadata(config, options.metadata));
  Dict block;
  for (const FieldRow<TaskConfig>& row : task_rows()) {
    const Value* value = effective.find(row.name);
    if (value == nullptr) value = config.merged.find(row.name);
    if (value == nullptr) value = &row.by_default;
    if (const auto function = function_ref(*value)) {
      block.set(row.name, "!function " + function->name);
    } else if (!value->is_none()) {
      block.set(row.name, *value);
    }
  }
  return block;
}

}  // namespace tare::task
