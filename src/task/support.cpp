#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "task/choose.h"
#include "task/compile.h"
#include "task/fewshot.h"
#include "task/function.h"
#include "task/task.h"

namespace tare::task {
namespace {

using base::Status;
using base::Value;

const Value& merged_value(const TaskConfig& config, std::string_view key) {
  static const Value none;
  const Value* value = config.merged.find(key);
  return value == nullptr ? none : *value;
}

base::Failure refuse(const TaskConfig& config, std::string_view field, const std::string& why) {
  return base::input_error(fmt::format("{}: {}", field_place(config, field), why));
}

/// lm-eval loads this key's function and never calls it.
bool never_called(const FunctionUse& use) {
  return use.field.starts_with("doc_to_decontamination_query");
}

Status check_functions(const TaskConfig& config) {
  for (const FunctionUse& use : functions_in(config.merged))
    if (!never_called(use))
      return refuse(config, use.field,
                    fmt::format("!function {} is Python, which is not built in yet; choose a task "
                                "without it",
                                use.function.name));
  return {};
}

Status check_output_type(const TaskConfig& config) {
  const bool known = config.output_type == core::OutputType::multiple_choice ||
                     config.output_type == core::OutputType::loglikelihood;
  if (known) return {};
  const Value& written = merged_value(config, "output_type");
  return refuse(config, "output_type",
                fmt::format("{} is not built in yet, only multiple_choice and loglikelihood",
                            written.is_string() ? written.as_string() : "generate_until"));
}

/// Keys whose presence asks for something that is not there.
Status check_features(const TaskConfig& config) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kFeatures{{
      {"doc_to_image", "images are not built in"},
      {"doc_to_audio", "audio is not built in"},
      {"unsafe_code", "running code that a model wrote is not built in"},
      {"use_prompt", "promptsource templates are not built in"},
      {"process_results", "own scoring is not built in"},
      {"custom_dataset", "data sets made by code are not built in"},
  }};
  for (const auto& [key, why] : kFeatures)
    if (merged_value(config, key).truthy()) return refuse(config, key, std::string(why));
  if (config.repeats != 1)
    return refuse(
        config, "repeats",
        fmt::format("{} answers to one prompt are not built in yet, only 1", config.repeats));
  return {};
}

/// One pipeline named none that takes the first response is what every task has by default.
bool default_filters(const Value& filters) {
  if (filters.is_none()) return true;
  base::Dict step;
  step.set("function", "take_first");
  base::Dict pipeline;
  pipeline.set("name", "none");
  pipeline.set("filter", base::List{step});
  return filters == Value(base::List{pipeline});
}

Status check_keys(const TaskConfig& config) {
  if (!default_filters(config.filter_list))
    return refuse(config, "filter_list", "filters are not built in yet; leave the key out");
  if (config.doc_to_text.is_none() || config.doc_to_target.is_none())
    return base::input_error(
        fmt::format("task {}: {} is missing", config.task,
                    config.doc_to_text.is_none() ? "doc_to_text" : "doc_to_target"));
  if (config.output_type == core::OutputType::multiple_choice && config.doc_to_choice.is_none())
    return base::input_error(fmt::format(
        "task {}: doc_to_choice is missing: output_type multiple_choice needs it", config.task));
  if (eval_split(config).field.empty())
    return base::input_error(
        fmt::format("task {}: neither test_split nor validation_split is set: nothing to evaluate",
                    config.task));
  return {};
}

void add_unique(std::vector<std::string>& names, const std::string& name) {
  if (name.empty()) return;
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

bool examples_leak(const TaskConfig& config) {
  const FewshotSource source = fewshot_source(config);
  return !source.field.empty() && source.split == eval_split(config).name &&
         !excludes_eval_document(config);
}

}  // namespace

Status check_supported(const TaskConfig& config) {
  TARE_CHECK(check_output_type(config));
  TARE_CHECK(check_functions(config));
  TARE_CHECK(check_features(config));
  return check_keys(config);
}

std::vector<std::string> splits_needed(const TaskConfig& config, const BuildOptions& options) {
  std::vector<std::string> names;
  add_unique(names, eval_split(config).name);
  if (effective_fewshot(config, options) > 0) add_unique(names, fewshot_source(config).split);
  return names;
}

std::vector<core::Warning> warnings(const TaskConfig& config, const BuildOptions& options) {
  std::vector<core::Warning> found;
  const auto warn = [&](std::string code, const std::string& text) {
    found.push_back({std::move(code), fmt::format("task {}: {}", config.task, text)});
  };
  if (effective_fewshot(config, options) > 0) {
    if (examples_leak(config))
      warn("fewshot-from-eval-split",
           fmt::format("few-shot examples come from the evaluated split '{}' and a document may be "
                       "its own example; set fewshot_split",
                       eval_split(config).name));
    if (config.fewshot.split && !config.fewshot.samples.is_none())
      warn("fewshot-samples-unused",
           "fewshot_config.samples is not used because a few-shot split is set");
    if (!config.fewshot_config.find("fewshot_indices")->is_none())
      warn("fewshot-indices-unused", "fewshot_config.fewshot_indices has no effect, as in lm-eval");
  }
  if (merged_value(config, "should_decontaminate").truthy())
    warn("no-decontamination", "should_decontaminate has no effect, as in lm-eval");
  return found;
}

}  // namespace tare::task
