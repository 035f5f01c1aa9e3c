#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/task.h"
#include "score/metrics.h"

/// What one document gets from a generated answer (lm-eval 0.4.13, api/task.py process_results).
namespace tare::score {

/// A generated answer and what it is compared with.
struct TextAnswer {
  base::Value gold;      ///< a text, or a list of right answers
  bool several = false;  ///< `gold` is such a list: any of them is right
  base::Value result;    ///< as the filters left it: a text, or a list where none takes the first
};

struct TextMetric {
  std::string_view name;
  base::Result<base::Value> (*value)(const TextAnswer&, const base::Value& arguments);
  ValueKind gives;
  std::string_view aggregation;  ///< where the task names none
  bool takes_lists;              ///< also for targets that are lists
  /// The arguments that a metric_list entry may have; a metric over whole texts looks at none.
  std::span<const std::string_view> arguments;
};

/// Null if there is none.
const TextMetric* find_text_metric(std::string_view name);

std::span<const TextMetric> text_metrics();

/// The gold of a generate_until document in the form that metrics compare with.
TextAnswer text_answer(const core::BuiltTask& task, std::size_t document, base::Value result);

}  // namespace tare::score
