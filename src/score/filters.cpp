#include "score/filters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/unicode.h"
#include "score/filter_table.h"

namespace tare::score {
namespace {

using base::Status;
using base::Value;

const Filter* find_filter(std::string_view name) {
  for (const auto table : {selection_filters(), text_filters(), regex_filters(), choice_filters(),
                           letter_filters(), tagging_filters()})
    for (const Filter& filter : table)
      if (filter.name == name) return &filter;
  return nullptr;
}

std::string label(const core::FilterStep& step) {
  return step.function ? fmt::format("filter !function {}", step.function->name)
                       : fmt::format("filter {}", step.name);
}

base::Failure unknown_filter(const core::FilterStep& step) {
  const auto names = filter_names();
  const auto near = base::nearest_names(step.name, names);
  return base::input_error(fmt::format("unknown; {} {}? (filter_list)",
                                       near.empty() ? "there is" : "did you mean",
                                       base::join_or(near.empty() ? names : near)));
}

Status check_arguments(const Filter& filter, const Value& arguments) {
  if (!arguments.is_dict()) return {};
  std::vector<std::string> known;
  for (const std::string_view name : filter.arguments)
    if (!name.empty()) known.emplace_back(name);
  for (const auto& [name, value] : arguments.as_dict()) {
    const bool found =
        name.is_string() && std::find(known.begin(), known.end(), name.as_string()) != known.end();
    if (found || filter.ignores_others) continue;
    return base::input_error(fmt::format("no argument {}; it takes {}",
                                         name.is_string() ? name.as_string() : "of that type",
                                         known.empty() ? "none" : base::join_or(known)));
  }
  return filter.check == nullptr ? Status{} : filter.check(arguments);
}

Status check_function(const core::FunctionRef& function, const core::Functions* functions) {
  if (functions != nullptr && functions->knows(function, core::FunctionUse::filter)) return {};
  return base::input_error(
      "no native twin of this Python function is built in; run with "
      "--allow-python, or leave the task out");
}

Status check_named(const core::FilterStep& step) {
  if (step.name == "custom") return base::input_error("wants filter_fn: !function NAME");
  const Filter* filter = find_filter(step.name);
  if (filter == nullptr) return unknown_filter(step);
  return check_arguments(*filter, step.arguments);
}

base::Result<Responses> apply_function(const core::FilterStep& step, Responses responses,
                                       std::span<const core::Document> documents,
                                       core::Functions* functions) {
  TARE_CHECK(check_function(*step.function, functions));
  const std::size_t count = responses.size();
  const std::array<Value, 3> arguments = {
      base::List(std::move(responses)), base::List(documents.begin(), documents.end()),
      step.arguments.is_dict() ? step.arguments : Value(base::Dict{})};
  TARE_TRY(const Value made, functions->call(*step.function, core::FunctionUse::filter, arguments));
  if (!made.is_sequence() || made.items().size() != count)
    return base::work_failed(
        fmt::format("gave {} instead of a list of {} responses", made.type_name(), count));
  return made.items();
}

base::Result<Responses> apply_step(const core::FilterStep& step, Responses responses,
                                   std::span<const core::Document> documents,
                                   core::Functions* functions) {
  if (step.function) return apply_function(step, std::move(responses), documents, functions);
  TARE_CHECK(check_named(step));
  return find_filter(step.name)->apply(step.arguments, std::move(responses), documents);
}

}  // namespace

std::vector<std::string> filter_names() {
  std::vector<std::string> names;
  for (const auto table : {selection_filters(), text_filters(), regex_filters(), choice_filters(),
                           letter_filters(), tagging_filters()})
    for (const Filter& filter : table) names.emplace_back(filter.name);
  names.emplace_back("custom");
  return names;
}

base::Status check_filter(const core::FilterStep& step, const core::Functions* functions) {
  auto status = step.function ? check_function(*step.function, functions) : check_named(step);
  if (!status) return base::in_context(label(step), std::move(status).error());
  return {};
}

base::Result<std::vector<Value>> apply_pipeline(const core::FilterPipeline& pipeline,
                                                std::vector<Value> responses,
                                                std::span<const core::Document> documents,
                                                core::Functions* functions) {
  for (const core::FilterStep& step : pipeline.steps) {
    auto made = apply_step(step, std::move(responses), documents, functions);
    if (!made) return base::in_context(label(step), std::move(made).error());
    responses = std::move(*made);
  }
  return responses;
}

base::Result<base::List> elements(const Value& value) {
  if (value.is_sequence()) return value.items();
  if (!value.is_string())
    return base::work_failed(
        fmt::format("found {}, wanted a list of answers or a text", value.type_name()));
  base::List characters;
  const std::string& text = value.as_string();
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    base::unicode::decode(text, pos);
    characters.emplace_back(std::string_view(text).substr(start, pos - start));
  }
  return characters;
}

base::Failure at_request(std::size_t request, base::Error error) {
  return base::in_context(fmt::format("request {}", request), std::move(error));
}

base::Result<Responses> map_elements(Responses responses,
                                     const std::function<base::Result<Value>(const Value&)>& make) {
  for (std::size_t i = 0; i < responses.size(); ++i) {
    auto items = elements(responses[i]);
    if (!items) return at_request(i, std::move(items).error());
    for (Value& item : *items) {
      auto made = make(item);
      if (!made) return at_request(i, std::move(made).error());
      item = std::move(*made);
    }
    responses[i] = std::move(*items);
  }
  return responses;
}

Value argument(const Value& arguments, std::string_view name, const Value& otherwise) {
  const Value* found = arguments.find(name);
  return found == nullptr ? otherwise : *found;
}

bool hashable(const Value& value) {
  if (value.is_tuple()) return std::all_of(value.items().begin(), value.items().end(), hashable);
  return !value.is_list() && !value.is_dict();
}

}  // namespace tare::score
