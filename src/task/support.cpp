#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/unicode.h"
#include "task/choose.h"
#include "task/compile.h"
#include "task/fewshot.h"
#include "task/filters.h"
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

/// What a task whose function nothing can run is told.
std::string unknown_function(const core::FunctionRef& function) {
  if (function.file.empty())
    return fmt::format(
        "!function {} names no Python file in {}; correct the name or choose a task without it",
        function.name, function.folder.empty() ? "." : function.folder.string());
  return fmt::format(
      "!function {} is Python that tare has no native twin for ({} has SHA-256 {}); run it with "
      "--allow-python or choose a task without it",
      function.name, function.file.filename().string(), function.sha256.substr(0, 12));
}

Status check_functions(const TaskConfig& config, const BuildOptions& options) {
  for (const NamedFunction& named : functions_in(config.merged)) {
    const auto use = use_of_field(named.field);
    if (!use) continue;
    const bool known =
        options.functions != nullptr && options.functions->knows(named.function, *use);
    if (!known) return refuse(config, named.field, unknown_function(named.function));
  }
  return {};
}

/// Keys whose presence asks for something that is not there.
Status check_features(const TaskConfig& config) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kFeatures{{
      {"doc_to_image", "images are not built in; choose a task of text alone"},
      {"doc_to_audio", "audio is not built in; choose a task of text alone"},
      {"use_prompt", "promptsource templates are not built in; write the template as doc_to_text"},
  }};
  for (const auto& [key, why] : kFeatures)
    if (merged_value(config, key).truthy()) return refuse(config, key, std::string(why));
  return {};
}

Status check_unsafe_code(const TaskConfig& config, const BuildOptions& options) {
  if (!merged_value(config, "unsafe_code").truthy() || options.run_unsafe_code) return {};
  return refuse(config, "unsafe_code",
                "the task runs code that the model writes; allow that with "
                "--confirm-run-unsafe-code");
}

Status check_keys(const TaskConfig& config) {
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

/// Plain text has no delimiter after a system instruction without a description.
bool glued_system_instruction(const TaskConfig& config, const BuildOptions& options) {
  const std::string& text = options.system_instruction;
  return !options.chat && !text.empty() && !config.description.truthy() &&
         base::unicode::rstrip(text).size() == text.size();
}

/// --repetitions of a task that was not made for several answers.
bool leaves_answers_unscored(const TaskConfig& config, const BuildOptions& options) {
  if (config.output_type != core::OutputType::generate_until) return false;
  if (options.repetitions.value_or(1) == 1) return false;
  return std::ranges::all_of(filter_pipelines(config), [](const core::FilterPipeline& pipeline) {
    return std::ranges::find(pipeline.steps, "take_first", &core::FilterStep::name) !=
           pipeline.steps.end();
  });
}

}  // namespace

Status check_supported(const TaskConfig& config, const BuildOptions& options) {
  TARE_CHECK(check_features(config));
  TARE_CHECK(check_unsafe_code(config, options));
  TARE_CHECK(check_functions(config, options));
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
  for (const std::string& repeated : config.repeated)
    warn("key-twice", repeated + "; the last one counts, as in lm-eval");
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
  if (glued_system_instruction(config, options))
    warn("system-instruction-glued",
         "nothing stands between the system instruction and the prompt, as in lm-eval; end it with "
         "a line break if one is meant");
  if (config.filter_list.is_list() &&
      filter_pipelines(config).size() < config.filter_list.items().size())
    warn("filter-name-twice",
         "filter_list has two filters of one name; the last of them counts, as in lm-eval");
  if (config.output_type != core::OutputType::generate_until &&
      !merged_value(config, "generation_kwargs").is_none())
    warn("generation-kwargs-unused",
         "generation_kwargs has no effect: the output_type generates nothing");
  const Value* sampled = config.generation_kwargs.find("do_sample");
  const Value* temperature = config.generation_kwargs.find("temperature");
  if (options.generation_mode == nullptr && sampled != nullptr && sampled->truthy() &&
      (temperature == nullptr || !temperature->truthy()))
    warn("greedy-despite-do-sample",
         "generation_kwargs.do_sample is true but the temperature is 0: answers are greedy");
  if (leaves_answers_unscored(config, options))
    warn("repetitions-unscored",
         fmt::format("each prompt has {} answers, of which the filters score the first alone; all "
                     "are in the samples",
                     *options.repetitions));
  if (merged_value(config, "should_decontaminate").truthy())
    warn("no-decontamination", "should_decontaminate has no effect, as in lm-eval");
  return found;
}

}  // namespace tare::task
