#include "task/filters.h"

#include <algorithm>

#include "base/python.h"
#include "task/function.h"

namespace tare::task {
namespace {

using base::Dict;
using base::Value;
using namespace std::string_view_literals;

constexpr std::string_view kFunctionArgument = "filter_fn";

bool well_formed_step(const Value& step) {
  const Value* function = step.find("function");
  return function != nullptr && (function->is_string() || function_ref(*function));
}

bool well_formed(const Value& pipeline) {
  const Value* name = pipeline.find("name");
  const Value* steps = pipeline.find("filter");
  return name != nullptr && name->is_string() && steps != nullptr && steps->is_list() &&
         std::ranges::all_of(steps->items(), well_formed_step);
}

core::FilterStep step_of(const Value& written) {
  core::FilterStep step;
  const Value& function = *written.find("function");
  if (function.is_string()) {
    step.name = function.as_string();
  } else {
    step.function = resolved_function(function);
  }
  Dict arguments;
  for (const auto& [key, value] : written.as_dict()) {
    const std::string name = base::python::str(key);
    if (name == "function") continue;
    if (name == kFunctionArgument) {
      step.function = resolved_function(value);
    } else {
      arguments.set(key, value);
    }
  }
  step.arguments = std::move(arguments);
  return step;
}

core::FilterPipeline take_first() {
  return {"none", {core::FilterStep{"take_first", Dict{}, std::nullopt}}};
}

}  // namespace

std::string refuse_filter_list(const Value& list) {
  if (!list.is_list()) return "";
  const bool good = !list.items().empty() && std::ranges::all_of(list.items(), well_formed);
  return good ? ""
              : "mappings with 'name' (a text) and 'filter' (a list of mappings with 'function', a "
                "name or a !function)";
}

std::vector<core::FilterPipeline> filter_pipelines(const TaskConfig& config) {
  if (config.filter_list.is_none()) return {take_first()};
  std::vector<core::FilterPipeline> pipelines;
  for (const Value& written : config.filter_list.items()) {
    core::FilterPipeline pipeline{written.find("name"sv)->as_string(), {}};
    for (const Value& step : written.find("filter"sv)->items())
      pipeline.steps.push_back(step_of(step));
    const auto same = std::ranges::find(pipelines, pipeline.name, &core::FilterPipeline::name);
    if (same == pipelines.end()) {
      pipelines.push_back(std::move(pipeline));
    } else {
      *same = std::move(pipeline);
    }
  }
  return pipelines;
}

}  // namespace tare::task
