#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compare/comparison.h"

namespace tare::compare {

enum class Move { drops, rises, changes };

/// "METRIC [of TASK] drops|rises|changes by X at P %".
struct Rule {
  std::string text;    ///< as it was given
  std::string metric;  ///< "acc", or with a filter "exact_match,strict-match"
  std::string task;    ///< "" for all tasks
  Move move = Move::drops;
  double by = 0;        ///< in the metric's own unit, ≥ 0
  double level = 0.95;  ///< between 0 and 1

  /// The text in one line, fit for a terminal.
  [[nodiscard]] std::string shown() const;
};

/// Error: usage, with the column and an example.
base::Result<Rule> parse_rule(std::string_view text);

/// What a comparison says about a rule.
struct Ruling {
  bool holds = false;
  std::size_t looked_at = 0;         ///< differences that the rule is about
  std::vector<std::string> reasons;  ///< one for each difference for which it holds
};

/// A rule holds where a whole interval lies beyond its bound. The interval is simultaneous: with m
/// differences looked at, each has the level 1 − (1 − P)/m (Bonferroni), so that a rule which looks
/// at many tasks does not hold by chance more often. Error: it is about nothing that was compared,
/// or about something of which it cannot be told.
base::Result<Ruling> judge(const Rule& rule, const Comparison& comparison);

/// Of a rule whose metric or task is in none of the runs: the same error, before anything is read.
base::Status check_rule(const Rule& rule, const std::vector<Side>& sides);

}  // namespace tare::compare
