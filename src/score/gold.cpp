#include "score/gold.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/python.h"

namespace tare::score {
namespace {

using base::Value;

std::int64_t in_range(std::int64_t index, std::size_t choices) {
  return index < static_cast<std::int64_t>(choices) ? index : kOutOfRange;
}

/// Python counts True and False as the integers 1 and 0.
std::optional<std::int64_t> as_index(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  if (value.is_int()) return value.as_int();
  return std::nullopt;
}

std::optional<std::int64_t> single_gold(const Value& target,
                                        const std::vector<std::string>& choices) {
  if (const auto index = as_index(target)) return in_range(*index, choices.size());
  if (!target.is_string()) return std::nullopt;
  const auto found = std::find(choices.begin(), choices.end(), target.as_string());
  return found == choices.end() ? kOutOfRange : found - choices.begin();
}

std::optional<GoldChoices> listed_golds(const Value& target, std::size_t choices) {
  if (!target.is_list()) return std::nullopt;
  GoldChoices gold{{}, true};
  for (const Value& item : target.items()) {
    const auto index = as_index(item);
    if (!index) return std::nullopt;
    gold.indices.push_back(in_range(*index, choices));
  }
  return gold;
}

std::optional<GoldChoices> read_gold(const core::BuiltTask& task, const core::Gold& gold) {
  if (task.multiple_input) {
    if (!gold.choice) return std::nullopt;
    return GoldChoices{{in_range(static_cast<std::int64_t>(*gold.choice), gold.choices.size())}};
  }
  if (task.golds.front().target.is_list()) return listed_golds(gold.target, gold.choices.size());
  if (const auto index = single_gold(gold.target, gold.choices)) return GoldChoices{{*index}};
  return std::nullopt;
}

const char* wanted(const core::BuiltTask& task) {
  if (task.multiple_input) return "an index from doc_to_text";
  if (task.golds.front().target.is_list()) return "a list of indices, as the first document has";
  return "an index or the text of a choice, as the first document has";
}

}  // namespace

bool GoldChoices::out_of_range() const {
  return std::find(indices.begin(), indices.end(), kOutOfRange) != indices.end();
}

base::Result<GoldChoices> gold_choices(const core::BuiltTask& task, std::size_t document) {
  const core::Gold& gold = task.golds[document];
  if (auto choices = read_gold(task, gold)) return *choices;
  return base::input_error(
      fmt::format("task {}, doc {}: the target is {} ({}), wanted {}; correct doc_to_target",
                  task.name, task.doc_ids[document], base::python::repr(gold.target),
                  gold.target.type_name(), wanted(task)));
}

}  // namespace tare::score
