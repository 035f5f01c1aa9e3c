#pragma once

#include <stop_token>

#include "base/result.h"
#include "cli/floor_item_plan.h"
#include "cli/floor_options.h"
#include "cli/floor_plan.h"
#include "floor/answers.h"

namespace tare::cli {

/// Asks the items of each file in each row, each in a process and a folder of its own, which
/// another call goes on with. A row that fails is named and does not hold up the others. Error: the
/// user's wish to stop.
base::Result<floor::Answers> ask_items(const FloorPlan& plan, const ItemPlan& items,
                                       const FloorOptions& options, const std::stop_token& stop);

}  // namespace tare::cli
