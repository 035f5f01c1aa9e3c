#include "store/planned_budget.h"

#include "store/fields.h"

namespace tare::store {
namespace {

namespace field = fields::budget;
using base::Dict;
using base::List;
using base::Value;

template <class T>
Value or_null(const std::optional<T>& number) {
  return number ? Value(*number) : Value();
}

Dict cost_dict(const core::Cost& cost) {
  Dict dict;
  dict.set(field::kTokens, or_null(cost.tokens));
  dict.set(field::kFlops, or_null(cost.flops));
  dict.set(field::kSeconds, or_null(cost.seconds));
  dict.set(field::kJoules, or_null(cost.joules));
  return dict;
}

Value task_value(const PlannedBudget& budget, std::size_t task) {
  const PlannedReach& reach = budget.sensitivity.tasks[task];
  Dict dict = cost_dict(budget.tasks[task]);
  dict.set(field::kTask, budget.names[task]);
  dict.set(field::kItems, reach.items);
  dict.set(field::kPaired, or_null(reach.paired));
  dict.set(field::kUnpaired, or_null(reach.unpaired));
  return dict;
}

Value sensitivity_value(const PlannedSensitivity& sensitivity) {
  List needed;
  for (const PlannedItems& items : sensitivity.needed) {
    Dict dict;
    dict.set(field::kDifference, items.difference);
    dict.set(field::kPaired, or_null(items.paired));
    dict.set(field::kUnpaired, or_null(items.unpaired));
    needed.emplace_back(std::move(dict));
  }
  Dict dict;
  dict.set(field::kAlpha, sensitivity.alpha);
  dict.set(field::kPower, sensitivity.power);
  dict.set(field::kDiscordance, sensitivity.discordance);
  dict.set(field::kScore, sensitivity.score);
  dict.set(field::kNeeded, std::move(needed));
  return dict;
}

std::optional<double> number(const Value* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->as_number();
}

core::Cost cost_of(const Value* value) {
  if (value == nullptr || !value->is_dict()) return {};
  core::Cost cost;
  if (const auto tokens = number(value->find(field::kTokens)); tokens && *tokens >= 0)
    cost.tokens = static_cast<std::size_t>(*tokens);
  cost.flops = number(value->find(field::kFlops));
  cost.seconds = number(value->find(field::kSeconds));
  cost.joules = number(value->find(field::kJoules));
  return cost;
}

}  // namespace

Value planned_budget_value(const PlannedBudget& budget) {
  List tasks;
  for (std::size_t i = 0; i < budget.tasks.size(); ++i) tasks.push_back(task_value(budget, i));
  Dict dict;
  dict.set(field::kTasks, std::move(tasks));
  dict.set(field::kTotal, cost_dict(budget.total));
  dict.set(field::kAtMost, budget.at_most);
  dict.set(field::kFlopsUnknown,
           budget.flops_unknown.empty() ? Value() : Value(budget.flops_unknown));
  dict.set(field::kWatts, budget.watts ? Value(budget.watts->watts) : Value());
  dict.set(field::kMeasured, budget.watts ? Value(budget.watts->measured) : Value());
  dict.set(field::kSensitivity, sensitivity_value(budget.sensitivity));
  return dict;
}

Value budget_value(const std::optional<core::Budget>& budget) {
  if (!budget) return {};
  Dict dict;
  dict.set(field::kEstimated, cost_dict(budget->estimated));
  dict.set(field::kReal, cost_dict(budget->real));
  dict.set(field::kAtMost, budget->at_most);
  return dict;
}

std::optional<core::Budget> budget_of(const Value& value) {
  if (!value.is_dict()) return std::nullopt;
  const Value* at_most = value.find(field::kAtMost);
  return core::Budget{cost_of(value.find(field::kEstimated)), cost_of(value.find(field::kReal)),
                      at_most != nullptr && at_most->is_bool() && at_most->truthy()};
}

}  // namespace tare::store
