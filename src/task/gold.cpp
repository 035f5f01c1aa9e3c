#include "task/gold.h"

#include <fmt/format.h>

#include <algorithm>

#include "task/field_table.h"

namespace tare::task {
namespace {

using base::Result;
using base::Value;

/// "" if `target` names one of the choices.
std::string wrong_choice(const Value& target, const std::vector<std::string>& choices) {
  if (is_index(target)) {
    const std::int64_t index = as_index(target);
    if (index >= 0 && static_cast<std::size_t>(index) < choices.size()) return "";
    return fmt::format("index {} but there are {} choices (0 to {})", index, choices.size(),
                       choices.size() - 1);
  }
  if (!target.is_string())
    return fmt::format("found {}, wanted an index or one of the choices", describe_value(target));
  if (std::ranges::find(choices, target.as_string()) != choices.end()) return "";
  return fmt::format("{} is none of the {} choices {}", shown(target), choices.size(),
                     shown(base::List(choices.begin(), choices.end())));
}

/// "" if every item of the list is an index in range: a list holds indices only.
std::string wrong_choices(const Value& targets, const std::vector<std::string>& choices) {
  for (const Value& target : targets.items()) {
    if (!is_index(target))
      return fmt::format("the list holds {}, wanted indices", describe_value(target));
    if (std::string problem = wrong_choice(target, choices); !problem.empty()) return problem;
  }
  return "";
}

std::string wrong_gold(const Value& gold, const Question& question, bool list) {
  if (question.choices.empty()) return "there are no choices";
  if (gold.is_list() != list)
    return fmt::format("found {}, but the first document of the split has {}", describe_value(gold),
                       list ? "a list" : "a single target");
  return list ? wrong_choices(gold, question.choices) : wrong_choice(gold, question.choices);
}

}  // namespace

Result<Shape> shape_of(const Question& first, const Place& place) {
  const bool configured = !first.choices.empty();
  for (std::size_t i = 0; i < first.choices.size(); ++i)
    if (first.choices[i].empty())
      return place.error("doc_to_choice", fmt::format("choice {} is empty", i));
  return Shape{configured && is_index(first.text), first.target.is_list()};
}

Result<core::Gold> choice_gold(const Question& question, const Shape& shape, const Place& place) {
  if (shape.multiple_input && shape.multiple_target)
    return place.error("doc_to_target", "a list, while doc_to_text gives an index: wanted a text");
  const Value& gold = shape.multiple_input ? question.text : question.target;
  const std::string_view field = shape.multiple_input ? "doc_to_text" : "doc_to_target";
  if (std::string problem = wrong_gold(gold, question, shape.multiple_target); !problem.empty())
    return place.error(field, std::move(problem));
  if (!shape.multiple_input) return core::Gold{question.target, question.choices, std::nullopt};
  if (!is_index(gold))
    return place.error(field, fmt::format("found {}, wanted an index as on the first document",
                                          describe_value(gold)));
  return core::Gold{question.target, question.choices, static_cast<std::size_t>(as_index(gold))};
}

Result<core::Gold> text_gold(const Question& question, const Place& place) {
  if (!question.target.is_string())
    return place.error("doc_to_target",
                       fmt::format("found {}, wanted a text", describe_value(question.target)));
  return core::Gold{question.target, {}, std::nullopt};
}

Result<core::Gold> answer_gold(const Question& question, const Place& place) {
  if (question.choices.empty()) return free_gold(question);
  const Value& target = question.target;
  if (!is_index(target))
    return place.error("doc_to_target", fmt::format("found {}, wanted the index of a choice",
                                                    describe_value(target)));
  if (std::string problem = wrong_choice(target, question.choices); !problem.empty())
    return place.error("doc_to_target", std::move(problem));
  return free_gold(question);
}

core::Gold free_gold(const Question& question) {
  return {question.target, question.choices, std::nullopt};
}

}  // namespace tare::task
