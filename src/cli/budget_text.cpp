#include <fmt/format.h>

#include <array>

#include "cli/budget.h"
#include "report/markdown_table.h"
#include "run/progress.h"

namespace tare::cli {
namespace {

using base::List;

constexpr const char* kUnknown = "unknown";

/// "1.23 T" of 1.23e12, with three digits.
std::string scaled(double number) {
  constexpr std::array<const char*, 8> kPrefixes = {"", "k", "M", "G", "T", "P", "E", "Z"};
  constexpr double kStep = 1000;
  std::size_t prefix = 0;
  while (number >= kStep && prefix + 1 < kPrefixes.size()) {
    number /= kStep;
    ++prefix;
  }
  const int decimals = number < 10 ? 2 : number < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", number, decimals, kPrefixes[prefix]);
}

List cost_row(const std::string& name, const core::Cost& cost) {
  return {name, cost.tokens ? base::Value(*cost.tokens) : base::Value(kUnknown),
          cost.flops ? scaled(*cost.flops) + "FLOP" : kUnknown,
          cost.seconds ? run::clock_text(*cost.seconds) : kUnknown,
          cost.joules ? scaled(*cost.joules) + "J" : kUnknown};
}

std::string costs_table(const char* head, const std::vector<List>& rows) {
  return report::markdown_table({head, "Tokens", "Operations", "Time", "Energy"}, rows);
}

std::string difference_text(const std::optional<double>& difference, bool verdicts) {
  if (!verdicts) return kUnknown;
  return difference ? fmt::format("{:.3f}", *difference) : "none";
}

std::string reach_table(const store::PlannedBudget& budget) {
  std::vector<List> rows;
  for (std::size_t i = 0; i < budget.names.size(); ++i) {
    const store::PlannedReach& reach = budget.sensitivity.tasks[i];
    rows.push_back({budget.names[i], reach.items, difference_text(reach.paired, reach.verdicts),
                    difference_text(reach.unpaired, reach.verdicts)});
  }
  return report::markdown_table({"Task", "Items", "Finds, paired", "Finds, unpaired"}, rows);
}

base::Value items_text(const std::optional<std::size_t>& items) {
  if (items) return *items;
  return fmt::format("more than {:.0e}", static_cast<double>(store::kMostPlannedItems));
}

std::string needed_table(const store::PlannedSensitivity& sensitivity) {
  std::vector<List> rows;
  for (const store::PlannedItems& items : sensitivity.needed)
    rows.push_back({fmt::format("{}", items.difference), items_text(items.paired),
                    items_text(items.unpaired)});
  return report::markdown_table({"Difference", "Items, paired", "Items, unpaired"}, rows);
}

std::string assumptions(const store::PlannedBudget& budget) {
  const store::PlannedSensitivity& sensitivity = budget.sensitivity;
  std::string text;
  if (!budget.flops_unknown.empty())
    text += fmt::format("operations: unknown: {}\n", budget.flops_unknown);
  if (!budget.watts)
    text += "energy: unknown: no run showed what the processors draw; --watts N says it\n";
  else
    text += fmt::format("energy: at {:.1f} W, {}\n", budget.watts->watts,
                        budget.watts->measured ? "measured in the last run" : "as --watts says");
  if (budget.at_most) text += "answers are taken to be as long as they may be\n";
  return text + fmt::format(
                    "differences of two models' shares of right answers, found with power {} at a "
                    "two-sided level of {} of one test; paired: both answer the same items and "
                    "{:.4g} % of these change their verdict (--discordance), or as many as the "
                    "difference takes, by McNemar's exact test; unpaired: each answers items of "
                    "its own, at scores of {}\n",
                    sensitivity.power, sensitivity.alpha, 100 * sensitivity.discordance,
                    sensitivity.score);
}

}  // namespace

std::string budget_text(const store::PlannedBudget& budget) {
  std::vector<List> rows;
  for (std::size_t i = 0; i < budget.names.size(); ++i)
    rows.push_back(cost_row(budget.names[i], budget.tasks[i]));
  if (rows.size() > 1) rows.push_back(cost_row("(all)", budget.total));
  return costs_table("Task", rows) + reach_table(budget) + needed_table(budget.sensitivity) +
         assumptions(budget);
}

std::string budget_text(const core::Budget& budget) {
  std::string text = costs_table(
      "", {cost_row(budget.at_most ? "estimated, at most" : "estimated", budget.estimated),
           cost_row("real", budget.real)});
  if (const core::Cost& real = budget.real; real.flops && real.seconds && *real.seconds > 0)
    text += scaled(*real.flops / *real.seconds) + "FLOP/s\n";
  return text;
}

}  // namespace tare::cli
